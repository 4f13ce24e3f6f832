/** The HTTP door (PROTOCOL 6) as typed calls. A refusal is thrown as `ApiError` with its code. */
import type { Format, PlayerId } from "../../shared/engine/types.ts";
import type { CreateRoomRequest, CreateSessionRequest } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { inventName } from "./name.ts";
import { type Identity, type OwnSeat, savedIdentity, savedName, saveIdentity, saveSeat } from "./storage.ts";

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly retryAfterS: number | null;
  constructor(status: number, code: string, message: string, retryAfterS: number | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export interface RoomSeat {
  readonly seat: PlayerId;
  readonly kind: string;
  readonly name: string | null;
  readonly brain?: string | null;
  readonly taken: boolean;
  readonly connected: boolean;
}

/** One room of a list, or of `GET /rooms/:code`. */
export interface RoomInfo {
  readonly code: string;
  readonly match_id: string;
  readonly format: Format;
  readonly level: number;
  readonly phase: "waiting" | "playing" | "over";
  readonly preset?: string | null;
  readonly host?: PlayerId | null;
  readonly turn?: number;
  readonly seats: readonly RoomSeat[];
  readonly spectators: number;
}

/** A row of the list, with what a small picture of its board needs. */
export interface RoomRow extends RoomInfo {
  readonly thumbnail: {
    readonly dimensions: string;
    /** R13.1 in the order y, x, joined by blanks. */
    readonly board: string;
    readonly gear_owners: Readonly<Record<string, PlayerId>>;
  };
}

export interface Opened {
  readonly code: string;
  readonly match_id: string;
  readonly seat: PlayerId | null;
  readonly seat_token: string | null;
  readonly state: NativeState;
}

interface Call {
  /** The answer as text instead of JSON. */
  readonly text?: boolean;
  readonly body?: unknown;
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

async function call<T>(method: "GET" | "POST", path: string, { body, token, signal, text }: Call = {}): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch {
    throw new ApiError(0, "offline", "The server cannot be reached. Check your connection and try again.", null);
  }
  if (response.ok && text) return (await response.text()) as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const error = (answer as { error?: { code?: string; message?: string; retry_after_s?: number } } | null)?.error;
  throw new ApiError(
    response.status,
    error?.code ?? "internal",
    error?.message ?? `The server answered ${response.status}.`,
    error?.retry_after_s ?? null,
  );
}

/** Who we are; a guest identity is made the first time and whenever the server no longer knows the old one. */
export async function identity(fresh = false): Promise<Identity> {
  const name = savedName() ?? inventName();
  const known = savedIdentity();
  if (known !== null && !fresh && known.name === name) return known;
  const made = await call<Identity>("POST", "/identities", { body: { name } });
  saveIdentity(made);
  return made;
}

async function asMe<T>(use: (token: string) => Promise<T>): Promise<T> {
  const me = await identity();
  try {
    return await use(me.token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return use((await identity(true)).token);
  }
}

/** Opens a room and remembers the seat that was given. */
export async function createRoom(request: CreateRoomRequest): Promise<Opened> {
  const opened = await asMe((token) => call<Opened>("POST", "/rooms", { body: request, token }));
  remember(opened);
  return opened;
}

export async function joinRoom(code: string): Promise<Opened> {
  const body = { kind: "human" };
  const joined = await asMe((token) => call<Opened>("POST", `/rooms/${code}/join`, { body, token }));
  const opened = { ...joined, code };
  remember(opened);
  return opened;
}

/** What house seats can be given to, and in which manners those play. */
export interface Brains {
  /** `model`: the provider's name of a language model; null: a brain of the house. */
  readonly brains: readonly { readonly name: string; readonly model: string | null }[];
  readonly styles: readonly { readonly name: string; readonly title: string }[];
}

export const listBrains = (): Promise<Brains> => call("GET", "/brains");

/** A Lab or Benchmark session: `command` is what its agent is started with. */
export interface SessionMade {
  readonly session_id: string;
  readonly command: string;
}

export const makeSession = (request: CreateSessionRequest): Promise<SessionMade> =>
  asMe((token) => call<SessionMade>("POST", "/sessions", { body: request, token }));

function remember({ code, match_id, seat, seat_token }: Opened): void {
  if (seat !== null && seat_token !== null) saveSeat({ code, match_id, seat, seat_token } satisfies OwnSeat);
}

export const roomInfo = (code: string): Promise<RoomInfo> => call("GET", `/rooms/${code}`);

export async function listRooms(status: "waiting" | "playing" | "over", signal?: AbortSignal): Promise<RoomRow[]> {
  const answer = await call<{ rooms: RoomRow[] }>("GET", `/rooms?status=${status}`, signal ? { signal } : {});
  return answer.rooms;
}

/** The whole state as the holder of `token` may see it; without one, as a spectator who knows the code. */
export function matchState(matchId: string, token: string | null, code?: string): Promise<NativeState> {
  return call("GET", `/matches/${matchId}/state${code ? `?code=${code}` : ""}`, { token });
}

/** The record of a match, partial before its end, as lines of JSON; everything of it that the caller may see. */
export function matchRecord(matchId: string, token: string | null, code: string): Promise<string> {
  return call("GET", `/matches/${matchId}/record?code=${code}`, { token, text: true });
}

/** `GET /leaderboard`. */
export interface Leaderboard {
  readonly kind: "casual" | "benchmark";
  readonly format: Format;
  readonly level: number;
  readonly rows: readonly {
    readonly rank: number;
    readonly player_id: string;
    readonly name: string;
    readonly player_kind: "human" | "ai";
    readonly model: string | null;
    readonly matches: number;
    readonly wins: number;
    readonly efficiency: number;
    readonly score: number;
    readonly turns: number;
    readonly match_id: string;
  }[];
}

export function leaderboard(
  kind: Leaderboard["kind"],
  format: Format,
  level: number,
  signal: AbortSignal,
): Promise<Leaderboard> {
  return call("GET", `/leaderboard?kind=${kind}&format=${format}&level=${level}`, { signal });
}
