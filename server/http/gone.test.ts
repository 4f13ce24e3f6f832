/** Callers that are gone before their handler runs leave nothing behind: no stream, no spectator, no listener. */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, test } from "vitest";
import { call, guest, serve, type TestServer, until } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

/** Sends a call whose body takes a while to unpack, and cuts the line at once. */
function cut(path: string, token: string): Promise<void> {
  const body = gzipSync(`{}${" ".repeat(200_000)}`);
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    [
      `GET /api/v1${path} HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${token}`,
      "Content-Encoding: gzip",
      `Content-Length: ${body.length}`,
      "",
      "",
    ].join("\r\n"),
  );
  socket.write(body, () => void socket.resetAndDestroy());
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

test.each(["stream", "state?wait=turn"])("%s", async (what) => {
  const ada = await guest(server, "Ada");
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  const holder = server.gateway.holders().find((h) => h.id === body.match_id);
  if (holder === undefined) throw new Error("no holder");
  let opened = 0;
  let open = 0;
  const { connect: original } = holder;
  holder.connect = (seat) => {
    const close = original.call(holder, seat);
    opened++;
    open++;
    return () => {
      open--;
      close();
    };
  };
  // Some of them are cut soon enough to be gone when the handler runs; `opened` shows that handlers did run.
  for (let i = 0; i < 100; i++) await cut(`/matches/${body.match_id}/${what}`, body.seat_token);
  await until("the handlers have run", () => opened > 0);
  await until("nothing is open", () => open === 0);
});
