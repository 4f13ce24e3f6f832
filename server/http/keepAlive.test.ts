/** Streams on which nothing happens: an empty line every seven seconds (PROTOCOL 6). */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { call, guest, serve, type TestServer, until } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.stop());

test.each(["a match", "an identity"])("the stream of %s", async (whose) => {
  const { token } = await guest(server);
  const { match_id } = (await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } })).body;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const answer = await fetch(`${server.url}/api/v1${whose === "a match" ? `/matches/${match_id}` : ""}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let ended = false;
  void (async () => {
    for (;;) {
      const { done, value = "" } = await reader.read();
      text += value;
      ended ||= done;
      if (done) return;
    }
  })();
  const empty = () =>
    text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line === "").length;
  await until("what is current is told", () => text.includes(match_id));
  expect(empty()).toBe(0);
  // A minute, of which no line is left out.
  for (let lines = 1; lines <= 9; lines++) {
    vi.advanceTimersByTime(7_000);
    await until(`line ${lines}`, () => empty() === lines);
  }
  expect(ended).toBe(false);
  await reader.cancel();
});
