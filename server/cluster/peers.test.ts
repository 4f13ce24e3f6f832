/** Who may say who called: a process of the same installation, and nobody else. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { Peers } from "./peers.ts";

const keys = (byte: string) => () => [{ id: "aaaa", key: byte.repeat(64), from_ms: 0, until_ms: null }];
const report = { error: () => {}, info: () => {} };
const peers = (byte: string, living: readonly { processId: string; address: string }[] = []) =>
  new Peers({
    claims: { peers: async () => living },
    keys: keys(byte),
    clock: systemClock,
    report,
    addressOf: () => "203.0.113.7",
  });
const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

test.each([
  ["no header", {}],
  ["an address alone", { "x-gearmice-address": "198.51.100.1" }],
  ["an empty secret", { "x-gearmice-peer": "", "x-gearmice-address": "198.51.100.1" }],
  ["a guessed secret", { "x-gearmice-peer": "A".repeat(43), "x-gearmice-address": "198.51.100.1" }],
])("%s is not believed", (_name, headers) => {
  expect(peers("1").callerBehind(request(headers))).toBeNull();
});

test("what one process hands on, another with the same keys believes, and one with other keys does not", async () => {
  const told: (string | null)[] = [];
  const receiver = createServer((req, res) => {
    told.push(peers("1").callerBehind(req), peers("2").callerBehind(req));
    res.end(JSON.stringify({ url: req.url }));
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;
  const sender = peers("1");
  const front = createServer((req, res) => sender.forward(address, req, res, () => res.writeHead(503).end()));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(front.address() as { port: number }).port}/x?y=1`;
  // The caller's own word about his address is replaced.
  const answer = await fetch(url, { headers: { "x-gearmice-address": "127.0.0.1", "x-gearmice-peer": "z" } });
  expect(await answer.json()).toEqual({ url: "/x?y=1" });
  expect(told).toEqual(["203.0.113.7", null]);

  const closed = new Promise((resolve) => receiver.close(resolve));
  receiver.closeAllConnections();
  await closed;
  expect((await fetch(url)).status).toBe(503);
  sender.stop();
  front.close();
  front.closeAllConnections();
});

test.each([
  ["an absolute target", (port: number) => `http://127.0.0.1:${port}/x?y=1`],
  ["a target that begins with a host", (port: number) => `//127.0.0.1:${port}/x?y=1`],
  ["an absolute target with more slashes", (port: number) => `http://127.0.0.1:${port}//127.0.0.1:${port}/x?y=1`],
])("%s takes neither the call nor our secret to a host of the caller's choice", async (_name, target) => {
  const listening = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as { port: number }).port;
  };
  const told: string[] = [];
  const chosen = createServer((_req, res) => {
    told.push("chosen");
    res.end();
  });
  const holder = createServer((_req, res) => {
    told.push("holder");
    res.end();
  });
  const [chosenPort, holderPort] = [await listening(chosen), await listening(holder)];
  const sender = peers("1");
  const front = createServer((req, res) =>
    sender.forward(`http://127.0.0.1:${holderPort}`, req, res, () => res.writeHead(503).end()),
  );
  const socket = connect(await listening(front), "127.0.0.1");
  socket.write(`GET ${target(chosenPort)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect(told).toEqual(["holder"]);
  sender.stop();
  for (const server of [chosen, holder, front]) {
    server.close();
    server.closeAllConnections();
  }
});

/** A process in front of a holder; gives what the holder was sent for `lines`, heads and bodies. */
async function handedOn(
  lines: string,
): Promise<{ readonly url: string; readonly headers: object; readonly body: string }[]> {
  const seen: { url: string; headers: object; body: string }[] = [];
  const holder = createServer((req, res) => {
    let body = "";
    req.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on("end", () => {
      seen.push({ url: req.url ?? "", headers: req.headers, body });
      res.setHeader("Connection", "keep-alive, X-Hop").setHeader("X-Hop", "1").end("{}");
    });
  });
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const sender = peers("1");
  const address = `http://127.0.0.1:${(holder.address() as { port: number }).port}`;
  const front = createServer((req, res) => sender.forward(address, req, res, () => res.writeHead(503).end()));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const socket = connect((front.address() as { port: number }).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  socket.write(lines);
  await new Promise((resolve) => socket.once("close", resolve));
  expect(answer.toLowerCase()).not.toContain("x-hop: 1");
  sender.stop();
  for (const server of [holder, front]) {
    server.close();
    server.closeAllConnections();
  }
  return seen;
}

test("headers that Connection names go no further, but a body keeps its length (RFC 9110, 7.6.1)", async () => {
  const [call] = await handedOn(
    "POST /x HTTP/1.1\r\nHost: x\r\nConnection: close, X-Here, content-length\r\nX-Here: 1\r\nX-There: 2\r\nContent-Length: 2\r\n\r\n{}",
  );
  expect(call).toMatchObject({ url: "/x", headers: { "x-there": "2", "content-length": "2" }, body: "{}" });
  expect(call?.headers).not.toHaveProperty("x-here");
});

test("a body in chunks is never read as a second call", async () => {
  const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
  const seen = await handedOn(
    `GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  );
  expect(seen.map(({ url, body }) => [url, body])).toEqual([["/x", hidden]]);
});
