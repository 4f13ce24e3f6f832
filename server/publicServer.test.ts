/** Callers that take their time, that are too many, or that speak no HTTP: each is answered and let go. */
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { until } from "../test/support/until.ts";
import { openLimits } from "./limits.ts";
import { boundConnections, makePublicServer } from "./publicServer.ts";

const SHORT = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 };
let servers: Server[] = [];
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close().closeAllConnections();
  [servers, sockets] = [[], []];
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A connection; what it has been sent, and whether it has been closed. */
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const seen = { socket, text: "", closed: false };
  socket.on("data", (chunk) => {
    seen.text += chunk.toString();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    seen.closed = true;
  });
  return seen;
}

/** Sends `part` again and again until the other side closes. */
async function drip(port: number, head: string, part: string): Promise<string> {
  const caller = open(port);
  caller.socket.write(head);
  const timer = setInterval(() => caller.socket.writable && caller.socket.write(part), 20);
  await until("it is let go", () => caller.closed).finally(() => clearInterval(timer));
  return caller.text;
}

describe("a caller that takes his time", () => {
  test.each([
    ["says nothing", "", ""],
    ["sends one header after the other", "GET / HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"],
    ["sends his body byte by byte", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "x"],
  ])("%s", async (_name, head, part) => {
    const server = makePublicServer(SHORT);
    server.on("request", (req, res) => req.resume().on("end", () => res.end("{}")));
    expect(await drip(await listening(server), head, part)).toMatch(/^HTTP\/1.1 400 .*"code":"bad_request"/s);
  });

  test("an answer may take as long as it likes", async () => {
    const server = makePublicServer(SHORT);
    let slow = () => {};
    server.on("request", (req, res) => {
      if (req.url === "/slow") slow = () => res.end("late");
      else res.end("{}");
    });
    const port = await listening(server);
    const patient = open(port);
    patient.socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    // The one who came later and says nothing has been let go: all of its time is over, and more.
    await drip(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "");
    slow();
    await until(
      "the answer is there",
      () => patient.text.endsWith("late\r\n0\r\n\r\n") || patient.text.endsWith("late"),
    );
  });
});

test.each([
  ["no HTTP", "hello\r\n\r\n", 400, "bad_request"],
  ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "bad_request"],
  ["a head without end", `GET / HTTP/1.1\r\nX: ${"x".repeat(40_000)}`, 413, "too_large"],
])("%s is answered with a code", async (_name, sent, status, code) => {
  const server = makePublicServer();
  server.on("request", (_req, res) => res.end());
  const caller = open(await listening(server));
  caller.socket.write(sent);
  await until("it is let go", () => caller.closed);
  expect(caller.text).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, "s"));
});

describe("connections of one address", () => {
  /** As if from elsewhere, for which the bound is narrow. */
  const faraway = () => {
    const limits = openLimits();
    return { open: (what: Parameters<typeof limits.open>[0]) => limits.open(what, "203.0.113.7") };
  };

  test("are bounded, answered when there are too many, and given back", async () => {
    const server = makePublicServer();
    server.on("request", (_req, res) => res.end("{}"));
    boundConnections(server, { limits: faraway(), proxies: 0 });
    const port = await listening(server);
    const many = Array.from({ length: 512 }, () => open(port));
    const count = () => new Promise<number>((resolve) => server.getConnections((_error, n) => resolve(n)));
    await until("all are open", async () => (await count()) === 512);
    const tooMany = open(port);
    await until("it is let go", () => tooMany.closed);
    expect(tooMany.text).toMatch(/^HTTP\/1.1 429 .*Retry-After: 10.*"code":"rate_limited"/s);
    many[0]?.socket.destroy();
    await until("there is room again", async () => {
      const next = open(port);
      next.socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      await until("it ends", () => next.closed);
      return next.text.startsWith("HTTP/1.1 200");
    });
  });

  test("of another process are not, and behind a proxy none", async () => {
    for (const proxies of [0, 1]) {
      const server = makePublicServer();
      // One that is not yet known for what it is, and no more.
      let open_ = 0;
      const free = boundConnections(server, {
        limits: { open: () => (open_++ === 0 ? () => void open_-- : null) },
        proxies,
      });
      server.on("request", (req, res) => {
        free(req.socket);
        res.end("{}");
      });
      const port = await listening(server);
      for (let i = 0; i < 5; i++) {
        const caller = open(port);
        caller.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        await until("it is answered", () => caller.text !== "");
        expect(caller.text).toMatch(/^HTTP\/1.1 200/);
      }
    }
  });
});
