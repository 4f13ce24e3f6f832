/** Matches by id: state, legal moves, moves, resigning, rematch (PROTOCOL 6). They outlive their rooms. */
import { type Request, type Response, Router } from "express";
import { seatWhileHeld } from "../../rooms/seating.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { moveSchema } from "../../shared/protocol/requests.ts";
import type { Entrance } from "../gateway.ts";
import type { MatchHandle } from "../handle.ts";
import { bodyOf, callerOf, granted, type HttpPorts, param, sendRefusal, whenGone } from "./common.ts";
import { untilTurn } from "./wait.ts";

export function matchesRouter({ gateway, limits, addressOf }: HttpPorts): Router {
  const router = Router();
  const entered = async (req: Request): Promise<Entrance> =>
    granted(await gateway.enter(param(req, "id"), callerOf(req)));
  const seated = async (req: Request): Promise<{ handle: MatchHandle; seat: PlayerId }> => {
    const { handle, seat } = await entered(req);
    if (seat !== null) return { handle, seat };
    throw new RefusalError(refuse("unauthorized", "This needs the token of a seat in this match."));
  };

  router.get("/matches/:id/state", async (req, res) => {
    const wait = waits(req);
    const { handle, seat } = wait ? await seated(req) : await entered(req);
    const held = seatWhileHeld(handle.match, seat);
    const waited = wait && seat ? await untilTurn(handle, seat, gone(res)) : { waiting: false };
    if (held(handle.match) !== seat) throw new RefusalError(refuse("unauthorized", "This seat has been given up."));
    res.json({ ...handle.view(seat), ...(waited.waiting ? { waiting: true } : {}) });
  });

  router.get("/matches/:id/legal", async (req, res) => {
    const { handle, seat } = await entered(req);
    const { ok: _, ...list } = granted(handle.legal(seat));
    res.json(list);
  });

  router.post("/matches/:id/moves", async (req, res) => {
    const wait = waits(req);
    const { handle, seat } = await seated(req);
    const tooMany = await limits.take("move", addressOf(req), `${handle.match.id} ${seat}`);
    if (tooMany) throw new RefusalError(tooMany);
    const answer = await handle.move(seat, bodyOf(req, moveSchema));
    if (!answer.ok) return sendRefusal(res, answer, { version: answer.version, state: handle.view(seat) });
    const waited = wait ? await untilTurn(handle, seat, gone(res)) : { waiting: false };
    res.json({ ...answer, state: handle.view(seat), ...(waited.waiting ? { waiting: true } : {}) });
  });

  router.post("/matches/:id/resign", async (req, res) => {
    const { handle, seat } = await seated(req);
    res.json(granted(await handle.resign(seat)));
  });

  router.post("/matches/:id/rematch", async (req, res) => {
    const { handle, seat } = await seated(req);
    res.json(granted(await handle.rematch(seat)));
  });

  return router;
}

function waits(req: Request): boolean {
  const { wait } = req.query;
  if (wait === undefined) return false;
  if (wait === "turn") return true;
  throw new RefusalError(refuse("bad_request", "wait can only be `turn`."));
}

function gone(res: Response): AbortSignal {
  const controller = new AbortController();
  whenGone(res, () => controller.abort());
  return controller.signal;
}
