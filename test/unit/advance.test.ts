/** A client that follows the broadcast events sees what one that asks for the whole state sees (PROTOCOL 5). */
import { describe, expect, test } from "vitest";
import { eventMessages } from "../../rooms/messages.ts";
import { FORMATS, type Format, LEVELS, legalFactors, type PlayerId } from "../../shared/engine/index.ts";
import { advance } from "../../shared/protocol/advance.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { applyEntry, type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import { type Surroundings, view } from "../../shared/protocol/view.ts";
import { picker } from "../support/random.ts";

const AROUND: Surroundings = { now: 1_000, deadline: null, connected: new Set(), spectators: 0 };

function created(format: Format, level: number, seed: string, invalid: "lose_turn" | "retry"): LiveMatch {
  return openMatch({
    type: "created",
    at_ms: 0,
    match_id: "0198c5a6-7b1c-7d3e-8f00-0123456789ab" as MatchId,
    room_code: "IXENT-ABC234" as RoomCode,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed,
    options: { invalid, orb: true, entropy: true, turn_seconds: 600, legal_list: true, private: false },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  });
}

/** One of the legal commands, drawn by their factors (R4.6). */
function randomLegal(match: LiveMatch, pick: (n: number) => number): string {
  const legal = legalFactors(match.engine);
  if (legal === null) throw new Error("nobody is to move");
  const tile = () => legal.tiles[pick(legal.tiles.length)];
  const sign = pick(2) === 0 ? "+90" : "-90";
  if (legal.stage === "placement") return `${legal.types[pick(legal.types.length)]}@${tile()}(b=${pick(4)})${sign}`;
  return pick(2) === 0 ? `G@${tile()}${sign}` : `G@${tile()}:b=${pick(4)} ; G@${tile()}${sign}`;
}

function nextEntry(match: LiveMatch, pick: (n: number) => number): LogEntry {
  const player = match.engine.currentPlayer as PlayerId;
  const at_ms = match.version;
  if (match.engine.phase === "waiting") {
    const free = match.seats.find((s) => !s.taken);
    if (!free) return { type: "start", at_ms };
    return {
      type: "seat_taken",
      at_ms,
      seat: free.seat,
      identity: `g-${free.seat}` as never,
      name: `N${free.seat}`,
      kind: "human",
      model: null,
    };
  }
  const chance = pick(100);
  if (chance < 4) return { type: "refused", at_ms, player, command: "nonsense 🐭", code: "syntax", elapsed_ms: 1 };
  if (chance === 5 && match.engine.turn > 40) return { type: "out", at_ms, player, reason: "RESIGNED", elapsed_ms: 1 };
  const command = randomLegal(match, pick);
  return {
    type: "turn",
    at_ms,
    player,
    command,
    elapsed_ms: 1,
    token_usage: { total: match.version, thinking: 3 },
    reasoning: "because",
  };
}

const seeds = ["5f3bedef890f10583eb6bfc54e50c924", "38217c57dbae32b43d53a7484d4ecb03"];
const rows = FORMATS.flatMap((format) =>
  LEVELS[format].flatMap((l) =>
    seeds.map((seed, i): [string, Format, number, string, "lose_turn" | "retry"] => [
      `${format} ${l}, ${i === 0 ? "retry" : "lose_turn"}`,
      format,
      l,
      seed,
      i === 0 ? "retry" : "lose_turn",
    ]),
  ),
);

describe("advance(view(n), message(n+1)) is view(n+1)", () => {
  test.each(rows)("%s", (_name, format, level, seed, invalid) => {
    let match = created(format, level, seed, invalid);
    const pick = picker(level * 7 + seed.charCodeAt(0));
    let watched = view(match, null, AROUND);
    let played = view(match, "P1", AROUND);
    while (match.engine.phase !== "over") {
      const applied = applyEntry(match, nextEntry(match, pick));
      for (const message of eventMessages(match, applied, AROUND)) {
        watched = advance(watched, JSON.parse(JSON.stringify(message)), null);
        played = advance(played, message, "P1");
      }
      match = applied.match;
      expect(watched).toEqual(view(match, null, AROUND));
      const { last_reasoning, ...data } = view(match, "P1", AROUND).data;
      expect({ ...played.data, last_reasoning: undefined }).toEqual({ ...data, last_reasoning: undefined });
      expect(typeof last_reasoning).toBe("string");
    }
    expect(watched.meta.seed).toBe(seed);
  });
});
