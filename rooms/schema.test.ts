import { Decoder, Encoder, Metadata } from "@colyseus/schema";
import { afterEach, describe, expect, test } from "vitest";
import { board, type Format } from "../shared/engine/index.ts";
import { MatchMirror, openMirror, reflect, SeatMirror } from "./schema.ts";
import { type Bench, bench, seatAll } from "./testing/kit.ts";

let open: Bench | null = null;
afterEach(() => open?.holder.retire(false));

/** What a client makes of the bytes of a whole state and of the patches after it. */
function mirrorOfClient(encoder: Encoder) {
  const mirror = new MatchMirror();
  const decoder = new Decoder(mirror);
  decoder.decode(encoder.encodeAll().slice());
  return { mirror, patch: () => decoder.decode(encoder.encode().slice()) };
}

describe("the mirror of a room", () => {
  test.each([
    ["Match", MatchMirror],
    ["Seat", SeatMirror],
  ] as const)("%s stays under the 63 fields that a Schema can have", (_name, type) => {
    const fields = Object.values(Metadata.getFields(type));
    expect(fields.length).toBeGreaterThan(9);
    expect(fields.length).toBeLessThan(63);
  });

  const fullest: [format: Format, level: number][] = [
    ["solo", 7],
    ["1v1", 4],
    ["2v2", 4],
    ["ffa4", 4],
  ];
  test.each(fullest)(
    "%s, level %i: the bytes a client gets are the match, at the start and after each move",
    async (format, level) => {
      open = await bench({ format, level });
      const { holder } = open;
      await seatAll(open);
      const mirror = openMirror(holder.match, holder.presence());
      const client = mirrorOfClient(new Encoder(mirror));
      for (let turn = 0; turn < 5; turn++) {
        expect(client.mirror.toJSON()).toEqual(mirror.toJSON());
        expect(client.mirror.board).toBe(board(holder.match.engine).join(" "));
        const seat = holder.match.engine.currentPlayer ?? "P1";
        expect(await holder.move(seat, { turn, command: open.legal() })).toMatchObject({ ok: true });
        reflect(mirror, holder.match, holder.presence());
        client.patch();
      }
      expect(client.mirror.turn).toBe(5);
    },
  );
});
