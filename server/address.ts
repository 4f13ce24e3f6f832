/** Who calls, as far as the network tells. */
import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";

/**
 * The caller's address: the socket's, or with `proxies` trusted proxies in front what the outermost of them saw.
 * What lies further left in X-Forwarded-For was written by the caller and is not believed.
 */
export function addressOf(req: IncomingMessage, proxies: number): string {
  const socket = plain(req.socket.remoteAddress ?? "");
  if (proxies === 0) return socket;
  const header = req.headers["x-forwarded-for"];
  const told = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",").map((part) => plain(part.trim()));
  const chain = [...told.filter((part) => part !== ""), socket];
  return chain[Math.max(0, chain.length - 1 - proxies)] ?? socket;
}

/** This machine's first IPv4 address in a network; null when it has none. */
export function outsideAddress(): string | null {
  const faces = Object.values(networkInterfaces()).flat();
  return faces.find((face) => face !== undefined && !face.internal && face.family === "IPv4")?.address ?? null;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** One key for what one caller can use: an IPv4 address, the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  if (!address.includes(":") || address === "::1") return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail.split(":").filter((group) => group !== "");
  const zeros = address.includes("::") ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0") : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

function plain(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address.slice(0, 64);
}

/** The host of an address under which this machine reaches what listens on `host`. */
export function loopbackOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
