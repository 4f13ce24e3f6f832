/** Who may say who called: a process of the same installation, and nobody else. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { Peers } from "./peers.ts";

const keys = (byte: string) => ({ current: "aaaa", keys: { aaaa: byte.repeat(64) } });
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
