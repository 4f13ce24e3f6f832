/** The classic A2A door (PROTOCOL 6): Solo games in the classic state dialect, several at a time. */
import { type Request, Router } from "express";
import { LEVELS, REFUSAL_CODES } from "../../shared/engine/index.ts";
import { classicState } from "../../shared/protocol/classic.ts";
import { type Refusal, RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { tokenUsageSchema } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { bodyOf, granted, type HttpPorts, tokenOf } from "../http/common.ts";
import { type Agent, agentOf, nameOf } from "./agent.ts";
import { gameMeant, gamesOf, MAX_RUNNING } from "./games.ts";
import { gymMetrics, rewardOf } from "./gym.ts";
import { startSchema, submitSchema } from "./requests.ts";

const levels = LEVELS.solo;
/** The addresses of this door, at the root. */
export const A2A_PATHS = ["/status", "/start_game", "/submit_move", "/get_state"];

export function a2aRouter(ports: HttpPorts): Router {
  const { everywhere: service, tokens, addressOf } = ports;
  const router = Router();
  const agent = (req: Request, agentId: string | undefined): Agent =>
    agentOf({ token: tokenOf(req), address: addressOf(req) }, agentId, tokens);
  const shown = (state: NativeState, agentId: string | undefined) =>
    classicState(state, { id: agentId ?? state.status.players.P1?.name ?? "", levels });

  router.get("/status", (_req, res) => {
    res.json({ status: "ok", name: "Gearmice", available_levels: levels.map(String), max_running_games: MAX_RUNNING });
  });

  router.post("/start_game", async (req, res) => {
    const { agent_id, level_id } = bodyOf(req, startSchema);
    const who = agent(req, agent_id);
    const running = (await gamesOf(service, who)).filter(({ phase }) => phase !== "over");
    if (running.length >= MAX_RUNNING) {
      throw new RefusalError(refuse("rate_limited", `You have ${MAX_RUNNING} games running; end one first.`, 60));
    }
    const created = granted(
      await service.create(who.caller, {
        format: "solo",
        level: level_id,
        private: !who.isPublic,
        ...(agent_id === undefined ? {} : { name: nameOf(agent_id) }),
      }),
    );
    const { match_id, state } = created;
    const msg = `Level ${level_id} has started; name it by game_id ${match_id}.`;
    res.json({ success: true, msg, game_id: match_id, state: shown(state, agent_id) });
  });

  router.post("/submit_move", async (req, res) => {
    const { agent_id, game_id, meta, ...move } = bodyOf(req, submitSchema);
    const who = agent(req, agent_id);
    const id = await gameMeant(service, who, game_id);
    // Before it counts: a match that this door cannot show is not played through it.
    if (game_id !== undefined) solo(granted(await service.state(who.caller, id)).state);
    const usage = tokenUsageSchema.safeParse((meta as { token_usage?: unknown } | null | undefined)?.token_usage);
    const answer = await service.move(who.caller, id, {
      ...move,
      ...(usage.success ? { token_usage: usage.data } : {}),
    });
    if (!answer.ok && !isOfTheRules(answer)) throw new RefusalError(answer);
    const state = answer.state ?? granted(await service.state(who.caller, id)).state;
    const reward = answer.ok ? rewardOf(answer.events, "P1") : 0;
    const msg = answer.ok ? lastLine(state) : `${answer.code}: ${answer.message}`;
    res.json({ success: answer.ok, msg, state: shown(state, agent_id), gym_metrics: gymMetrics(state, reward) });
  });

  router.get("/get_state", async (req, res) => {
    const { agent_id, game_id } = req.query;
    const agentId = typeof agent_id === "string" && agent_id !== "" ? agent_id.slice(0, 256) : undefined;
    const who = agent(req, agentId);
    const id = await gameMeant(service, who, typeof game_id === "string" ? game_id : undefined);
    const { state } = granted(await service.state(who.caller, id));
    solo(state);
    res.json(shown(state, agentId));
  });

  return router;
}

/** R4.5: what is answered with 200 and `success: false`. */
function isOfTheRules({ code }: Refusal): boolean {
  return REFUSAL_CODES.some((one) => one === code);
}

/** The classic dialect is for Solo alone. */
function solo({ meta }: NativeState): void {
  if (meta.format !== "solo") throw new RefusalError(refuse("not_found", "This is no Solo game; /api/v1 has it."));
}

function lastLine({ data }: NativeState): string {
  return data.history.at(-1) ?? "";
}
