/** Every call of `/api/v1`, once: the OpenAPI file and `/docs` are made of it, and a test holds the routers to it. */
import type { z } from "zod";
import { REFUSAL_CODES } from "../../shared/engine/index.ts";
import {
  codeSchema,
  exchangedSchema,
  identityAnswerSchema,
  leaderboardSchema,
  legalSchema,
  matchLineSchema,
  movedSchema,
  noticeSchema,
  presetsSchema,
  rematchSchema,
  roomSchema,
  roomsSchema,
  seatedSchema,
  seatsSchema,
  sessionAnswerSchema,
  versionSchema,
  waitedStateSchema,
} from "../../shared/protocol/answers.ts";
import { certificateSchema } from "../../shared/protocol/certificate.ts";
import type { ErrorCode } from "../../shared/protocol/codes.ts";
import { brainsSchema, promptAnswerSchema, promptModesSchema } from "../../shared/protocol/offers.ts";
import {
  createRoomSchema,
  createSessionSchema,
  exchangeSchema,
  identitySchema,
  joinRoomSchema,
  moveSchema,
} from "../../shared/protocol/requests.ts";

export interface Route {
  readonly method: "get" | "post";
  /** As Express has it. */
  readonly path: string;
  readonly tag: "identity" | "rooms" | "matches" | "results" | "about" | "classic A2A" | "hosted SDK";
  readonly summary: string;
  readonly token: "none" | "identity" | "seat" | "optional";
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly status: 200 | 201;
  readonly answer?: z.ZodType;
  readonly ndjson?: true;
  /** Beside those that every call may get. */
  readonly codes: readonly ErrorCode[];
}

/** Any call may get these. */
export const COMMON_CODES: readonly ErrorCode[] = ["rate_limited", "unavailable", "internal"];
const CODE = { code: "The room code; opens a private match to spectators." };
const WAIT = { ...CODE, wait: "`turn`: answers when it is the seat's turn or the match is over, at most after 50 s." };

export type Rest = Partial<Omit<Route, "method" | "path" | "tag" | "summary">>;
export const route = (
  method: Route["method"],
  path: string,
  tag: Route["tag"],
  summary: string,
  rest: Rest = {},
): Route => ({
  method,
  path,
  tag,
  summary,
  token: "none",
  status: 200,
  codes: [],
  ...rest,
});

const matchOf = (rest: Rest): Rest => ({
  token: "seat",
  ...rest,
  codes: ["unauthorized", "not_found", ...(rest.codes ?? [])],
});

export const ROUTES: readonly Route[] = [
  route("post", "/identities", "identity", "A guest: a name and a token", {
    answer: identityAnswerSchema,
    body: identitySchema,
    status: 201,
    codes: ["bad_request"],
  }),
  route("post", "/access-codes", "identity", "A personal access code for this identity", {
    answer: codeSchema,
    token: "identity",
    status: 201,
    codes: ["unauthorized"],
  }),
  route("post", "/access-codes/exchange", "identity", "The identity token that an access code stands for", {
    answer: exchangedSchema,
    body: exchangeSchema,
    codes: ["bad_request", "not_found"],
  }),
  route("post", "/sessions", "identity", "A Lab or Benchmark session for one match", {
    answer: sessionAnswerSchema,
    token: "identity",
    body: createSessionSchema,
    status: 201,
    codes: ["bad_request", "unauthorized", "bad_options"],
  }),
  route("get", "/seats", "identity", "Where this identity sits", {
    answer: seatsSchema,
    token: "identity",
    codes: ["unauthorized"],
  }),
  route(
    "get",
    "/stream",
    "identity",
    "All seats of this identity: match_start, your_turn, match_over; what is current first",
    { answer: noticeSchema, token: "identity", ndjson: true, codes: ["unauthorized"] },
  ),
  route("post", "/codes", "rooms", "A room code, good for one room within an hour", {
    answer: codeSchema,
    token: "identity",
    status: 201,
    codes: ["unauthorized"],
  }),
  route("get", "/presets", "rooms", "The Playroom's rooms, formats and levels", { answer: presetsSchema }),
  route("post", "/rooms", "rooms", "Create a room and take its first fitting seat", {
    answer: seatedSchema,
    token: "identity",
    body: createRoomSchema,
    status: 201,
    codes: [
      "bad_request",
      "unauthorized",
      "bad_options",
      "no_bots",
      "not_found",
      "code_used",
      "code_expired",
      "bot_unavailable",
    ],
  }),
  route("get", "/rooms", "rooms", "The public rooms", {
    answer: roomsSchema,
    query: { status: "waiting, playing or over" },
    codes: ["bad_request"],
  }),
  route("get", "/rooms/:code", "rooms", "One room", { answer: roomSchema, codes: ["not_found", "room_closed"] }),
  route("post", "/rooms/:code/join", "rooms", "Take a seat", {
    answer: seatedSchema,
    token: "identity",
    body: joinRoomSchema,
    codes: [
      "bad_request",
      "unauthorized",
      "forbidden",
      "not_found",
      "room_full",
      "seat_taken",
      "match_over",
      "room_closed",
    ],
  }),
  route(
    "post",
    "/rooms/:code/leave",
    "rooms",
    "Give a seat up before the start",
    matchOf({ answer: versionSchema, codes: ["match_already_started", "match_over", "room_closed"] }),
  ),
  route(
    "get",
    "/matches/:id/state",
    "matches",
    "The state as the caller may see it",
    matchOf({ answer: waitedStateSchema, token: "optional", query: WAIT, codes: ["bad_request"] }),
  ),
  route(
    "get",
    "/matches/:id/legal",
    "matches",
    "The legal commands (R4.6)",
    matchOf({
      answer: legalSchema,
      token: "optional",
      query: CODE,
      codes: ["legal_off", "match_not_started", "match_over", "player_out"],
    }),
  ),
  route(
    "post",
    "/matches/:id/moves",
    "matches",
    "Play a command",
    matchOf({
      answer: movedSchema,
      query: WAIT,
      body: moveSchema,
      codes: ["bad_request", "forbidden", ...REFUSAL_CODES],
    }),
  ),
  route(
    "post",
    "/matches/:id/resign",
    "matches",
    "Resign",
    matchOf({ answer: versionSchema, codes: ["forbidden", "match_not_started", "match_over", "player_out"] }),
  ),
  route(
    "post",
    "/matches/:id/rematch",
    "matches",
    "Ask for a rematch",
    matchOf({ answer: rematchSchema, codes: ["forbidden", "match_not_over", "room_closed"] }),
  ),
  route(
    "get",
    "/matches/:id/stream",
    "matches",
    "The match as lines of JSON: the whole state, then each event",
    matchOf({ answer: matchLineSchema, token: "optional", query: CODE, ndjson: true }),
  ),
  route(
    "get",
    "/matches/:id/record",
    "results",
    "The record: signed when the match is over",
    matchOf({
      token: "optional",
      query: { ...CODE, as: "`snapshots`: whole states of a finished match, one a line." },
      ndjson: true,
      codes: ["match_not_started", "match_not_over"],
    }),
  ),
  route("get", "/leaderboard", "results", "The best players of one kind, format and level", {
    answer: leaderboardSchema,
    query: {
      kind: "benchmark (the official board) or casual",
      format: "solo, 1v1, 2v2 or ffa4",
      level: "1 and up",
      limit: "1 to 100",
    },
    codes: ["bad_request"],
  }),
  route("get", "/certificates/:uuid", "results", "A signed certificate of one seat's match", {
    answer: certificateSchema,
    codes: ["not_found"],
  }),
  route("get", "/brains", "rooms", "What house seats can be given to, and in which manners they play", {
    answer: brainsSchema,
  }),
  route("get", "/prompts", "about", "The modes that there are system prompts for", { answer: promptModesSchema }),
  route("get", "/prompts/:mode/:player", "about", "The system prompt of one seat, and the modules it is made of", {
    answer: promptAnswerSchema,
    query: { ally: "The other player of the team: makes `arena` a match of two teams." },
    codes: ["not_found", "bad_options"],
  }),
  route("get", "/openapi.json", "about", "This description, OpenAPI 3.1"),
];
