/** What can be put on the analysis board, read from text: a position, a state, a record, or commands from a level. */
import { type Match, restoreMatch, step, type VisibleMatch } from "../../shared/engine/index.ts";
import type { Format } from "../../shared/engine/types.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { visibleIn } from "../../shared/protocol/visible.ts";
import { checkMap, type GameMap, makeMap, matchOn, parseMap } from "../editor/map.ts";
import { stateOf } from "../store/localGame.ts";
import { LOCAL_SEED, matchAfter } from "../store/localMatch.ts";
import { type Frames, framesOfRecord } from "../store/timeline.ts";
import { lineTo, nodeAt, type Tree, treeOf, withMove } from "./tree.ts";

export interface Loaded {
  readonly tree: Tree;
  /** Names where the source has them. */
  readonly names: Readonly<Record<string, string>>;
  /** A map of one's own on which it is played; left out on the levels of R12. */
  readonly map?: GameMap;
}

/** Something in the text cannot be; the message says what, for people. */
export class LoadError extends Error {
  override readonly name = "LoadError";
}

/** Reads any of the forms. Throws LoadError. */
export function load(text: string): Loaded {
  const clean = text.trim();
  if (clean === "") throw new LoadError("There is nothing to read.");
  const [opening = "", ...commands] = clean.split("\n");
  const map = parseMap(opening);
  if (map !== null) return onMap(map, commands.join("\n"));
  if (!clean.startsWith("{")) throw new LoadError("A position or a record begins with {, a map with its format.");
  const [first = "", ...rest] = clean.split("\n");
  const head = rest.length > 0 ? parse(first) : null;
  if (head?.type === "header") return fromRecord(clean, head);
  const whole = parse(clean);
  if (whole === null) throw new LoadError("This is no JSON.");
  if (whole.type === "header") throw new LoadError("This record has no moves.");
  const state = "state" in whole && typeof whole.state === "object" ? (whole.state as object) : whole;
  const visible = "meta" in state ? visibleFrom(state as NativeState) : (state as unknown as VisibleMatch);
  return { tree: treeOf(restored(visible)), names: {} };
}

/** A map of one's own, and what has been played on it. Throws LoadError. */
export function onMap(map: GameMap, commands = ""): Loaded {
  const wrong = checkMap(map).find((problem) => problem.fatal);
  if (wrong) throw new LoadError(wrong.message);
  return { tree: withCommands(treeOf(matchOn(map)), commands), names: {}, map };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function visibleFrom(state: NativeState): VisibleMatch {
  try {
    return visibleIn(state);
  } catch {
    throw new LoadError("Parts of this state are missing.");
  }
}

function restored(visible: VisibleMatch): Match {
  let made: ReturnType<typeof restoreMatch>;
  try {
    made = restoreMatch(visible, LOCAL_SEED);
  } catch {
    throw new LoadError("Parts of this position are missing.");
  }
  if (!made.ok) throw new LoadError(made.message);
  return made.value;
}

function fromRecord(text: string, head: Record<string, unknown>): Loaded {
  try {
    const seats = head.seats as readonly { seat: string; name: string | null }[];
    const start = matchAfter({ format: head.format as Format, level: Number(head.level) }, []);
    const frames = framesOfRecord(text, stateOf(start));
    const names = Object.fromEntries(seats.flatMap((s) => (s.name === null ? [] : [[s.seat, s.name]])));
    return { tree: treeOfFrames(frames), names };
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError("This record cannot be read.");
  }
}

/** The main line of a match as it was played, looked at where it ends. */
export function treeOfFrames(frames: Frames): Tree {
  const turns = [...frames.keys()].sort((a, b) => a - b);
  let tree: Tree | null = null;
  for (const turn of turns) {
    const frame = frames.get(turn);
    if (!frame) continue;
    const match = restored(visibleIn({ ...frame.state, data: { ...frame.state.data, history: [] } }));
    const { command, player, events } = frame;
    tree = tree === null ? treeOf(match) : withMove(tree, { match, command, player, events });
  }
  if (tree === null) throw new LoadError("Nothing has been played yet.");
  return tree;
}

/**
 * The position looked at as text that `load` reads: one line of JSON with all that a seat can see, no more; on a map of
 * one's own the map and the commands that lead there, one a line.
 */
export function positionText({ tree, map }: Loaded): string {
  if (map) return [makeMap(map), ...lineTo(tree).flatMap(({ command }) => command ?? [])].join("\n");
  const { history: _, ...visible } = visibleIn(stateOf(nodeAt(tree).match));
  return JSON.stringify(visible);
}

/** Plays commands, one a line, from the node looked at. Throws LoadError at the first one that is refused. */
export function withCommands(tree: Tree, text: string): Tree {
  let now = tree;
  for (const line of text.split("\n")) {
    const command = line.replace(/^Turn \d+ \[P[1-4]\]: /, "").trim();
    if (command === "" || command.startsWith("[")) continue;
    const { match } = now.nodes[now.at] as { match: Match };
    const player = match.currentPlayer;
    const done = player === null ? null : step(match, { type: "command", player, command });
    if (done === null || !done.ok) throw new LoadError(`${command}: ${done?.message ?? "the match is over."}`);
    now = withMove(now, { match: done.match, command: done.command, player, events: done.events });
  }
  return now;
}
