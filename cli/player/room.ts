/** Rooms and seats as the command line asks for them. */
import type { Format } from "../../shared/engine/index.ts";
import type { SessionMode } from "../../shared/protocol/modes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Seated } from "./match.ts";
import { granted, type Player } from "./session.ts";

export interface RoomWish {
  readonly format: Format;
  readonly level: number;
  readonly mode?: SessionMode | undefined;
  /** A session that exists; else one is made where there is a mode. */
  readonly session?: string | undefined;
  readonly model: string;
  /** SHA-256 of the prompt that a model is given. */
  readonly promptHash?: string | undefined;
  readonly seats?: readonly object[];
  readonly roomCode?: string | undefined;
}

interface Opened extends Omit<Seated, "seat" | "seat_token" | "code"> {
  readonly code: string;
  readonly seat: Seated["seat"] | null;
  readonly seat_token: string | null;
  readonly state: NativeState;
}

/** Creates the room and takes its first fitting seat. */
export async function createRoom(
  { api, identity, name }: Player,
  wish: RoomWish,
): Promise<Seated & { readonly code: string }> {
  const { format, level, mode, model, promptHash, seats, roomCode } = wish;
  const { token } = identity;
  let { session } = wish;
  if (session === undefined && mode !== undefined) {
    const body = { mode, format, level, model, ...(promptHash === undefined ? {} : { prompt_hash: promptHash }) };
    session = granted(await api.insist<{ session_id: string }>("/sessions", { token, body })).session_id;
  }
  const body = {
    ...{ format, level, name },
    ...(model === "human" ? {} : { model }),
    ...(session === undefined ? {} : { session }),
    ...(seats === undefined ? {} : { seats }),
    ...(roomCode === undefined ? {} : { room_code: roomCode }),
  };
  const kind = mode ?? (session === undefined ? "casual" : null);
  const seatsHere = async () => granted(await api.insist<{ seats: readonly Row[] }>("/seats", { token })).seats;
  const before = new Set((await seatsHere()).map(({ match_id }) => match_id));
  // A session is good for one match: when the answer was lost, that match is waiting for its player.
  const openedAlready = async () => {
    const rows = (await seatsHere()).filter(
      (row) =>
        !before.has(row.match_id) && row.format === format && row.phase !== "over" && row.kind === (kind ?? row.kind),
    );
    const [own, ...others] = rows;
    // Another command of this player may be opening rooms, too.
    if (own === undefined || others.length > 0) return null;
    return api.insist<Opened>(`/rooms/${own.code}/join`, { token, body: { name } });
  };
  return taken(granted(await api.insist<Opened>("/rooms", { token, body }, openedAlready)));
}

/** Of `GET /seats`. */
interface Row {
  readonly match_id: string;
  readonly code: string;
  readonly format: Format;
  readonly kind: string;
  readonly phase: string;
}

/** Takes a seat in a room. */
export async function joinRoom({ api, identity, name }: Player, code: string, model: string): Promise<Seated> {
  const { token } = identity;
  const path = `/rooms/${encodeURIComponent(code)}/join`;
  return taken(granted(await api.insist<Opened>(path, { token, body: { name, model, kind: kindOf(model) } })));
}

/** What sits there: an `ai` seat without a brain is open to programs alone. */
export function kindOf(model: string): "human" | "ai" {
  return model === "human" ? "human" : "ai";
}

function taken<T extends Opened>({ seat, seat_token, ...rest }: T) {
  if (seat === null || seat_token === null) throw new Error("no seat of this room is for you");
  return { ...rest, seat, seat_token };
}
