/** System prompts for agents, built from modules (PROTOCOL 6, `/prompts/:mode/:player`). */
import { type Format, PLAYERS, PLAYERS_OF, type PlayerId, type Result, teamOf } from "../engine/index.ts";
import { alliance } from "./alliance.ts";
import { arenaStrategies } from "./arenaStrategies.ts";
import { physics, protocol, state, strategy } from "./core.ts";
import { entropyArena, entropySolo, orbSolo } from "./events.ts";
import type { Fragment, Reader } from "./fragment.ts";
import { identityLock } from "./identity.ts";
import { arena, solo } from "./levels.ts";
import { scoring, startRule } from "./seats.ts";

export { type Fragment, MODULES, type Module, type Reader } from "./fragment.ts";

/** A format, or `arena`: one of its three, which a given ally makes 2v2. */
export const PROMPT_MODES = ["solo", "arena", "1v1", "2v2", "ffa4"] as const;
export type PromptMode = (typeof PROMPT_MODES)[number];

/** Whose prompt is asked for; the message of a refusal says what there is. */
export function readerOf(mode: string, player: string, ally?: string): Result<Reader, "not_found" | "bad_options"> {
  const known = PROMPT_MODES.find((one) => one === mode);
  if (known === undefined) {
    return { ok: false, code: "not_found", message: `There are prompts for ${PROMPT_MODES.join(", ")}.` };
  }
  const format: Format = known === "arena" ? "ffa4" : known;
  const seat = PLAYERS_OF[format].find((one) => one === player);
  if (seat === undefined) {
    return { ok: false, code: "not_found", message: `${mode} is played by ${PLAYERS_OF[format].join(", ")}.` };
  }
  const partner = known === "2v2" || known === "arena" ? partnerOf(seat) : null;
  if (ally !== undefined && ally !== partner) {
    const message =
      partner === null ? `${mode} is played without allies.` : `The ally of ${seat} can only be ${partner}.`;
    return { ok: false, code: "bad_options", message };
  }
  const inTeam = known === "2v2" || ally !== undefined;
  return {
    ok: true,
    value: { mode: known === "solo" ? "solo" : "arena", player: seat, ally: inTeam ? partner : null },
  };
}

/** The pieces of a reader's prompt in their order, each with the module it comes from. */
export function fragmentsFor(reader: Reader): readonly Fragment[] {
  const isSolo = reader.mode === "solo";
  return [
    physics,
    state,
    strategy,
    protocol,
    isSolo ? solo : arena,
    ...(isSolo ? [] : arenaStrategies),
    startRule(reader),
    scoring(reader),
    ...(isSolo ? [] : [alliance(reader)]),
    isSolo ? entropySolo : entropyArena,
    ...(isSolo ? [orbSolo] : []),
    identityLock(reader),
  ];
}

/** `fragmentsFor` by name. Throws RangeError when the mode has no such player or ally. */
export function fragments(mode: PromptMode, player: PlayerId, ally?: PlayerId): readonly Fragment[] {
  const asked = readerOf(mode, player, ally);
  if (!asked.ok) throw new RangeError(asked.message);
  return fragmentsFor(asked.value);
}

/** The text of a prompt made of these pieces. */
export function promptOf(pieces: readonly Fragment[]): string {
  return pieces.map(({ text }) => text).join("\n\n");
}

/** The system prompt of one seat. Throws RangeError when the mode has no such player or ally. */
export function build(mode: PromptMode, player: PlayerId, ally?: PlayerId): string {
  return promptOf(fragments(mode, player, ally));
}

/** What holds whatever the seat: for who reads the rules before taking one. */
export function rules(): string {
  return [physics, state, strategy, protocol, solo, entropySolo, orbSolo, arena].map(({ text }) => text).join("\n\n");
}

/** R3.1: the other one of the team. */
function partnerOf(player: PlayerId): PlayerId | null {
  return PLAYERS.find((other) => other !== player && teamOf(other) === teamOf(player)) ?? null;
}
