/** The hosted SDK's door (PROTOCOL 6): Solo by `/play` and `/move`, the Arena by `/arena/…`, over the service of all doors. */
import { type Request, Router } from "express";
import { type Format, REFUSAL_CODES } from "../../shared/engine/index.ts";
import { withCustomTexts } from "../../shared/prompts/custom.ts";
import { build } from "../../shared/prompts/index.ts";
import { styleOf } from "../../shared/prompts/styles.ts";
import { type Refusal, RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { parseRoomCode } from "../../shared/protocol/ids.ts";
import type { Kind } from "../../shared/protocol/log.ts";
import { exchangeSchema, seatSpecSchema } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { gymMetrics, rewardOf } from "../a2a/gym.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Session, Sessions } from "../accounts/sessions.ts";
import type { Seated } from "../gateway.ts";
import { exchanged } from "../http/accounts.ts";
import { bodyOf, granted, type HttpPorts, limited, param, rootOf, stored, tokenOf } from "../http/common.ts";
import type { Caller } from "../service/MatchService.ts";
import type { Identity } from "../tokens.ts";
import { type GamePlayer, gamePlayerId, readGamePlayerId } from "./player.ts";
import { type ArenaMode, arenaCreateSchema, arenaJoinSchema, playSchema, sdkMoveSchema, usageOf } from "./requests.ts";

export interface SdkPorts extends HttpPorts {
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, "find">;
}

/** The addresses of this door, at the root. */
export const SDK_PATHS = ["/play", "/move", "/arena", "/access-codes"];
/** The header that carries the token, equal to `Authorization: Bearer`. */
const TOKEN_HEADER = "x-firebase-token";

const FORMAT_OF: Readonly<Record<ArenaMode, Format>> = { "1v1": "1v1", "2v2": "2v2", "4v4": "ffa4", human: "1v1" };
const HUMAN_SEATS = [seatSpecSchema.parse({ kind: "human" }), seatSpecSchema.parse({ kind: "any" })];

type Opened = Pick<Seated, "match_id" | "seat" | "state">;

interface Texts {
  readonly prompt_injection?: string | null | undefined;
  readonly strategy?: string | null | undefined;
}

export function sdkRouter(ports: SdkPorts): Router {
  const { everywhere: service, tokens, accounts, sessions, addressOf } = ports;
  const router = Router();

  const who = (req: Request): { readonly caller: Caller; readonly identity: Identity } => {
    const token = req.get(TOKEN_HEADER)?.trim() || tokenOf(req);
    const identity = token === null ? null : tokens.verifyIdentity(token);
    if (token === null || identity === null) {
      throw new RefusalError(
        refuse("unauthorized", "This needs a token: POST /access-codes/exchange {code} gives one."),
      );
    }
    return { caller: { token, code: null, address: addressOf(req) }, identity };
  };
  const player = (req: Request, id: string) => {
    const { caller, identity } = who(req);
    return { caller, ...readGamePlayerId(id, identity.id) };
  };
  const seen = async ({ caller, matchId }: { readonly caller: Caller } & GamePlayer) =>
    granted(await service.state(caller, matchId)).state;

  /** A room by its code. Who has a seat in it asks again and again until it is full: that is no trying of codes. */
  const roomSeen = async (caller: Caller, code: string) => {
    const { seats } = granted(await service.seats(caller));
    const own = seats.find((row) => row.code === parseRoomCode(code));
    if (own === undefined) {
      const { room } = granted(await service.room(caller, code));
      return { ...room, taken: room.seats.map((seat) => seat.taken) };
    }
    const { meta, status } = granted(await service.state(caller, own.match_id)).state;
    return { ...meta, taken: Object.values(status.players).map((seat) => seat.taken) };
  };

  /** The Solo match that the caller has made with this session already, should its answer have been lost. */
  const again = async (caller: Caller, identity: Identity, session: Session | null): Promise<Opened | null> => {
    if (session?.played?.identity !== identity.id) return null;
    const found = await service.state(caller, session.played.match_id);
    if (!found.ok && found.code === "not_found") return null; // Long over, and thrown away.
    const { state } = granted(found);
    return state.status.game_over ? null : { match_id: state.meta.match_id, seat: "P1", state };
  };

  /** What `/play`, `/arena/create` and `/arena/join` have in common. */
  const opened = (req: Request, identity: Identity, seated: Opened, texts: Texts) => {
    const { match_id, seat, state } = seated;
    if (seat === null) throw new RefusalError(refuse("room_full", "No seat that fits is free."));
    const { prompt, ...notice } = promptFor(state.meta.format, seat, texts, state.meta.kind);
    return {
      game_player_id: gamePlayerId({ matchId: match_id, seat }, identity.id),
      motor_url: rootOf(req),
      model: state.status.players[seat]?.model ?? null,
      system_prompt: prompt,
      ...notice,
    };
  };

  router.post("/access-codes/exchange", limited(ports, "identity"), async (req, res) => {
    const { code } = bodyOf(req, exchangeSchema);
    const { token, expires_at } = await exchanged(ports, accounts, code, addressOf(req));
    const expires_in = Math.max(1, Math.floor((expires_at - ports.now()) / 1_000));
    res.json({ success: true, id_token: token, expires_in });
  });

  router.post("/play", async (req, res) => {
    const { caller, identity } = who(req);
    const { session_id, is_local_model, is_custom_agent, ...texts } = bodyOf(req, playSchema);
    // Before a session is used up.
    promptFor("solo", "P1", texts, "lab");
    const session = session_id ? await stored(sessions.find(session_id)) : null;
    if (session !== null && session.format !== "solo") {
      throw new RefusalError(refuse("bad_options", `This session is for ${session.format}; /play is for Solo.`));
    }
    const game =
      (await again(caller, identity, session)) ??
      granted(
        await service.create(caller, {
          format: "solo",
          level: session?.level ?? 1,
          model: session?.model ?? "agent",
          ...(session_id ? { session: session_id } : {}),
        }),
      );
    const { state } = game;
    res.json({
      success: true,
      ...opened(req, identity, game, texts),
      state,
      session: { provider: is_custom_agent ? "custom" : is_local_model ? "local" : "own" },
      is_sponsored: false,
      level: Number(state.meta.level_id),
    });
  });

  router.post(["/move", "/arena/move"], async (req, res) => {
    const { game_player_id, command, turn, reasoning, token_usage } = bodyOf(req, sdkMoveSchema);
    const own = player(req, game_player_id);
    const usage = usageOf(token_usage);
    const answer = await service.move(own.caller, own.matchId, {
      command,
      reasoning,
      ...(turn == null ? {} : { turn }),
      ...(usage === undefined ? {} : { token_usage: usage }),
    });
    if (!answer.ok && !isOfTheRules(answer)) throw new RefusalError(answer);
    const state = answer.state ?? (await seen(own));
    const reward = answer.ok ? rewardOf(answer.events, own.seat) : 0;
    const msg = answer.ok ? (state.data.history.at(-1) ?? "") : `${answer.code}: ${answer.message}`;
    res.json({ success: answer.ok, msg, state, gym_metrics: gymMetrics(state, reward) });
  });

  router.post("/arena/create", async (req, res) => {
    const { caller, identity } = who(req);
    const { mode, level, model, room_code, ...texts } = bodyOf(req, arenaCreateSchema);
    const format = FORMAT_OF[mode];
    promptFor(format, "P1", texts, "lab");
    const created = granted(
      await service.create(caller, {
        format,
        level,
        model,
        ...(mode === "human" ? { seats: HUMAN_SEATS } : {}),
        ...(room_code ? { room_code } : {}),
      }),
    );
    const { code, match_id } = created;
    const session = { provider: "own" };
    res.json({ room_code: code, mode, session, game_id: match_id, ...opened(req, identity, created, texts) });
  });

  router.post("/arena/join", async (req, res) => {
    const { caller, identity } = who(req);
    const { room_code, model, ...texts } = bodyOf(req, arenaJoinSchema);
    promptFor("1v1", "P1", texts, "lab");
    const joined = granted(await service.join(caller, room_code, { kind: "ai", model }));
    const { code, match_id, seat, state } = joined;
    res.json({
      room_code: code,
      mode: modeOf(state),
      session: { provider: "own" },
      game_id: match_id,
      player_slot: seat,
      ...opened(req, identity, joined, texts),
    });
  });

  router.get("/arena/room/:code", async (req, res) => {
    const { caller } = who(req);
    const { phase, match_id, taken } = await roomSeen(caller, param(req, "code"));
    res.json({
      status: phase === "waiting" ? "waiting" : "playing",
      game_id: match_id,
      players_joined: taken.filter(Boolean).length,
      players_needed: taken.length,
    });
  });

  router.get("/arena/turn/:gpid", async (req, res) => {
    const own = player(req, param(req, "gpid"));
    const state = await seen(own);
    const { game_over } = state.status;
    res.json({ your_turn: !game_over && state.meta.current_player === own.seat, state, status: { game_over } });
  });

  router.get("/arena/result/:gpid", async (req, res) => {
    const { status, scoring } = await seen(player(req, param(req, "gpid")));
    const { result, mice_rescued, total_mice_per_player } = status;
    const { scores, thinking_tokens } = scoring;
    res.json({ status: { result, mice_rescued, total_mice_per_player }, scoring: { scores, thinking_tokens } });
  });

  return router;
}

/** The SDK's client reads `success` and `msg`: at its addresses they stand beside the envelope of all doors. */
export function besideRefusal(path: string, { code, message }: Refusal): object {
  const isSdk = SDK_PATHS.some((one) => path === one || path.startsWith(`${one}/`));
  return isSdk ? { success: false, msg: `${code}: ${message}` } : {};
}

/** Throws `too_large`. A strategy may be the name of a preset of behaviour. */
function promptFor(format: Format, seat: GamePlayer["seat"], { prompt_injection, strategy }: Texts, kind: Kind) {
  const manner = strategy ? (styleOf(strategy)?.text ?? strategy) : strategy;
  const { ok: _, ...made } = granted(withCustomTexts(build(format, seat), [prompt_injection, manner], kind));
  return made;
}

/** R4.5: what is answered with 200 and `success: false`. */
function isOfTheRules({ code }: Refusal): boolean {
  return REFUSAL_CODES.some((one) => one === code);
}

function modeOf({ meta, status }: NativeState): ArenaMode {
  if (meta.format === "1v1" && Object.values(status.players).some(({ kind }) => kind === "human")) return "human";
  return meta.format === "ffa4" ? "4v4" : meta.format === "2v2" ? "2v2" : "1v1";
}
