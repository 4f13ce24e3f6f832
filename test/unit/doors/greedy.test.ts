/** A whole match through each door, to its result: against the house's greedy brain, or Solo where there is no more. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../../../cli/testing/house.ts";
import { call, guest } from "../../../server/testing/kit.ts";
import { until } from "../../support/until.ts";
import { DOORS } from "./doors.ts";

const DUEL = { format: "1v1", level: 1, seats: [{ kind: "any" }, { kind: "ai", brain: "greedy" }] };
const SOLO = { format: "solo", level: 1 };

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

test.concurrent.each(DOORS)("the $name door", async (door) => {
  const { token } = await guest(house);
  const { body: room } = await call(house, "POST", "/rooms", { token, body: door.solo ? SOLO : DUEL });
  const hand = await door.open(house.url, room, { identity: token, seat: room.seat_token });
  if (!("move" in hand)) throw new Error(hand.code);
  const turn = () =>
    until("it is our turn, or over", async () => {
      const look = await hand.look();
      return look.isOver || look.mover === "P1" ? look : null;
    });
  let look = await turn();
  for (; !look.isOver; look = await turn()) {
    const { body: legal } = await call(house, "GET", `/matches/${room.match_id}/legal`, { token: room.seat_token });
    expect(await hand.move({ turn: look.turn, command: legal.commands.at(-1) })).toMatchObject({ ok: true });
  }
  await hand.close();
  const { body: state } = await call(house, "GET", `/matches/${room.match_id}/state`);
  expect(look.result).toBe(state.status.result);
  expect(look.result).toMatch(/^(VICTORY|TIMEOUT)$/);
  // The house's moves are its own, not what stands in when its brain fails.
  if (!door.solo) expect(state.scoring.scores.P2).toBeGreaterThan(100);
  expect(house.errors).toEqual([]);
});
