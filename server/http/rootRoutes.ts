/** Every call at the root that programs make, once: the doors beside `/api/v1` (PROTOCOL 6), and the list of keys. */

import { classicStateSchema } from "../../shared/protocol/answers.ts";
import { exchangeSchema } from "../../shared/protocol/requests.ts";
import {
  a2aMovedSchema,
  a2aStartedSchema,
  a2aStatusSchema,
  sdkCreatedSchema,
  sdkJoinedSchema,
  sdkMovedSchema,
  sdkPlaySchema,
  sdkResultSchema,
  sdkRoomSchema,
  sdkTokenSchema,
  sdkTurnSchema,
} from "../../shared/protocol/rootAnswers.ts";
import { startSchema, submitSchema } from "../a2a/requests.ts";
import { arenaCreateSchema, arenaJoinSchema, playSchema, sdkMoveSchema } from "../sdk/requests.ts";
import { type Rest, type Route, route } from "./routes.ts";

/** A refusal by the rules is 200 with `success: false` here; the codes are those with a status of their own. */
const a2a = (method: Route["method"], path: string, summary: string, rest: Rest): Route =>
  route(method, path, "classic A2A", summary, { token: "optional", ...rest });
const sdk = (method: Route["method"], path: string, summary: string, rest: Rest): Route =>
  route(method, path, "hosted SDK", summary, {
    token: "identity",
    ...rest,
    codes: ["bad_request", "unauthorized", ...(rest.codes ?? [])],
  });

const move: Rest = {
  answer: sdkMovedSchema,
  body: sdkMoveSchema,
  codes: ["forbidden", "not_found"],
};

export const ROOT_ROUTES: readonly Route[] = [
  a2a("get", "/status", "What there is to play", { token: "none", answer: a2aStatusSchema }),
  a2a("post", "/start_game", "Open a Solo game", {
    answer: a2aStartedSchema,
    body: startSchema,
    codes: ["bad_request", "unauthorized", "bad_options"],
  }),
  a2a("post", "/submit_move", "Play a command in the named game, or in the agent's one running game", {
    answer: a2aMovedSchema,
    body: submitSchema,
    codes: ["bad_request", "unauthorized", "forbidden", "not_found", "ambiguous_game"],
  }),
  a2a("get", "/get_state", "The state in the classic dialect", {
    answer: classicStateSchema,
    query: { agent_id: "Whose game, without a token.", game_id: "Which game, when there are several." },
    codes: ["unauthorized", "not_found", "ambiguous_game"],
  }),
  sdk("post", "/access-codes/exchange", "The token that an access code stands for", {
    token: "none",
    answer: sdkTokenSchema,
    body: exchangeSchema,
    codes: ["not_found"],
  }),
  sdk("post", "/play", "A Solo match, of a session where one is named", {
    answer: sdkPlaySchema,
    body: playSchema,
    codes: ["not_found", "code_used", "bad_options", "too_large"],
  }),
  sdk("post", "/move", "Play a command", move),
  sdk("post", "/arena/create", "Open a room and take its first fitting seat", {
    answer: sdkCreatedSchema,
    body: arenaCreateSchema,
    codes: ["not_found", "code_used", "code_expired", "bad_options", "too_large"],
  }),
  sdk("post", "/arena/join", "Take a seat in a room", {
    answer: sdkJoinedSchema,
    body: arenaJoinSchema,
    codes: ["not_found", "room_full", "match_over", "room_closed", "too_large"],
  }),
  sdk("get", "/arena/room/:code", "Whether a room still waits", {
    answer: sdkRoomSchema,
    codes: ["not_found", "room_closed"],
  }),
  sdk("get", "/arena/turn/:gpid", "Whether it is your turn, and the state", {
    answer: sdkTurnSchema,
    codes: ["forbidden", "not_found"],
  }),
  sdk("post", "/arena/move", "Play a command", move),
  sdk("get", "/arena/result/:gpid", "How it ended", { answer: sdkResultSchema, codes: ["forbidden", "not_found"] }),
  route("get", "/.well-known/gearmice-keys.json", "results", "The public keys of records, old ones too"),
];
