/** Matches by id: state, legal moves, moves, resigning, rematch (PROTOCOL 6). They outlive their rooms. */
import { type Request, type Response, Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { moveSchema } from "../../shared/protocol/requests.ts";
import { bodyOf, callerOf, granted, type HttpPorts, param, sendRefusal, whenGone } from "./common.ts";

export function matchesRouter(ports: HttpPorts): Router {
  const { service } = ports;
  const router = Router();

  router.get("/matches/:id/state", async (req, res) => {
    const { state, waiting } = granted(await service.state(callerOf(req, ports), param(req, "id"), waitOf(req, res)));
    res.json({ ...state, ...waited(waiting) });
  });

  router.get("/matches/:id/legal", async (req, res) => {
    const { ok: _, ...list } = granted(await service.legal(callerOf(req, ports), param(req, "id")));
    res.json(list);
  });

  router.post("/matches/:id/moves", async (req, res) => {
    const [caller, id, wait] = [callerOf(req, ports), param(req, "id"), waitOf(req, res)];
    const answer = await service.move(caller, id, bodyOf(req, moveSchema), wait);
    if (!answer.ok) {
      const { version, state } = answer;
      return sendRefusal(res, answer, state === undefined ? {} : { version, state });
    }
    const { waiting, ...moved } = answer;
    res.json({ ...moved, ...waited(waiting) });
  });

  router.post("/matches/:id/resign", async (req, res) => {
    res.json(granted(await service.resign(callerOf(req, ports), param(req, "id"))));
  });

  router.post("/matches/:id/rematch", async (req, res) => {
    res.json(granted(await service.rematch(callerOf(req, ports), param(req, "id"))));
  });

  return router;
}

/** `?wait=turn`: a signal that aborts when the caller has gone; undefined: no wait. */
function waitOf(req: Request, res: Response): AbortSignal | undefined {
  const { wait } = req.query;
  if (wait === undefined) return undefined;
  if (wait !== "turn") throw new RefusalError(refuse("bad_request", "wait can only be `turn`."));
  const controller = new AbortController();
  whenGone(res, () => controller.abort());
  return controller.signal;
}

function waited(waiting: boolean): { readonly waiting?: true } {
  return waiting ? { waiting } : {};
}
