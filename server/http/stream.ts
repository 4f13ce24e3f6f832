/**
 * `GET /matches/:id/stream`: a match as lines of JSON, for spectators without a login too; `GET /stream`: all seats of
 * an identity (PROTOCOL 6).
 */
import { type Request, type Response, Router } from "express";
import { seatWhileHeld } from "../../rooms/seating.ts";
import { advance, withPresence } from "../../shared/protocol/advance.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { followIdentity } from "../follow.ts";
import { callerOf, granted, type HttpPorts, identityOf, param, whenGone } from "./common.ts";

const HEARTBEAT_MS = 7_000;
/** A reader who is so far behind is let go. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;
const HISTORY_TAIL = 5;

export function streamRouter(ports: HttpPorts): Router {
  const router = Router();
  router.get("/matches/:id/stream", async (req, res) => {
    const { handle, seat } = granted(await ports.gateway.enter(param(req, "id"), callerOf(req)));
    whenGone(res, opened(ports, req));
    openLines(res);
    const line = (value: object) => write(res, `${JSON.stringify(value)}\n`);
    // Each line carries the state as its own event left it, also where several were stored at once.
    let state = handle.view(seat);
    line({ type: "state", state });

    const held = seatWhileHeld(handle.match, seat);
    let viewer = seat;
    let disconnect = () => {};
    const stop = handle.listen({
      event(event) {
        if (viewer !== held(handle.match)) {
          viewer = null;
          disconnect();
          disconnect = handle.connect(null);
        }
        state = advance(state, event, viewer);
        const last_reasoning = viewer === null ? "" : (handle.match.reasoning[viewer] ?? "");
        line({ type: "event", event, state: shortened({ ...state, data: { ...state.data, last_reasoning } }) });
        // The last thing there is to say.
        if (event.type === "over" || event.type === "closed") res.end();
      },
      presence(presence) {
        state = withPresence(state, presence);
        line({ type: "presence", presence });
      },
      retired: () => void res.end(),
    });
    if (stop === null || handle.match.engine.phase === "over") {
      stop?.();
      res.end();
      return;
    }
    disconnect = handle.connect(seat);
    const heartbeat = setInterval(() => write(res, "\n"), HEARTBEAT_MS);
    whenGone(res, () => {
      clearInterval(heartbeat);
      disconnect();
      stop();
    });
  });
  router.get("/stream", (req, res) => {
    const identity = identityOf(req, ports.tokens);
    const close = opened(ports, req);
    openLines(res);
    const stop = followIdentity(ports.gateway, identity.id, (notice) => write(res, `${JSON.stringify(notice)}\n`));
    const { peers } = ports;
    const stopPeers =
      peers === null || peers.callerBehind(req) !== null
        ? () => {}
        : peers.follow("/api/v1/stream", req, (line) => write(res, `${line}\n`));
    const heartbeat = setInterval(() => write(res, "\n"), HEARTBEAT_MS);
    whenGone(res, () => {
      clearInterval(heartbeat);
      stop();
      stopPeers();
      close();
    });
  });
  return router;
}

/** Takes one of the streams an address may have open. */
function opened(ports: HttpPorts, req: Request): () => void {
  const close = ports.limits.open("stream", ports.addressOf(req));
  if (close === null) throw new RefusalError(refuse("rate_limited", "Too many streams are open.", 10));
  return close;
}

function openLines(res: Response): void {
  res.set({
    "Content-Type": "application/x-ndjson; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  res.flushHeaders();
}

function write(res: Response, text: string): void {
  if (res.writableEnded) return;
  res.write(text);
  if (res.writableLength > MAX_BEHIND_BYTES) res.destroy();
}

/** The state with the end of its history only. */
function shortened({ data, ...state }: NativeState) {
  const { history, ...rest } = data;
  return {
    ...state,
    data: { ...rest, history_tail: history.slice(-HISTORY_TAIL), history_length: history.length },
  };
}
