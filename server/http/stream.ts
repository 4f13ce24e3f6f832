/**
 * `GET /matches/:id/stream`: a match as lines of JSON, for spectators without a login too; `GET /stream`: all seats of
 * an identity (PROTOCOL 6).
 */
import { type Request, type Response, Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { whoOf } from "../who.ts";
import { callerOf, granted, type HttpPorts, param, tokenOf, whenGone } from "./common.ts";

const HEARTBEAT_MS = 7_000;
/** A reader who is so far behind is let go. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;

export function streamRouter(ports: HttpPorts): Router {
  const router = Router();
  router.get("/matches/:id/stream", async (req, res) => {
    whenGone(res, opened(ports, req));
    const { stop } = granted(
      await ports.service.follow(callerOf(req, ports), param(req, "id"), {
        line(line) {
          if (!res.headersSent) openLines(res);
          write(res, `${JSON.stringify(line)}\n`);
        },
        end: () => void res.end(),
      }),
    );
    const heartbeat = setInterval(() => write(res, "\n"), HEARTBEAT_MS);
    whenGone(res, () => {
      clearInterval(heartbeat);
      stop();
    });
  });
  router.get("/stream", (req, res) => {
    const caller = callerOf(req, ports);
    // Another process asks for what is here alone.
    const service = ports.peers?.callerBehind(req) ? ports.service : ports.everywhere;
    whenGone(res, opened(ports, req));
    const { stop } = granted(
      service.followSeats(caller, (notice) => {
        if (!res.headersSent) openLines(res);
        write(res, `${JSON.stringify(notice)}\n`);
      }),
    );
    if (!res.headersSent) openLines(res);
    const heartbeat = setInterval(() => write(res, "\n"), HEARTBEAT_MS);
    whenGone(res, () => {
      clearInterval(heartbeat);
      stop();
    });
  });
  return router;
}

/** Takes one of the streams that an address, and an identity or seat, may have open. */
function opened(ports: HttpPorts, req: Request): () => void {
  const close = ports.limits.open("stream", ports.addressOf(req), whoOf(tokenOf(req), ports.tokens));
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
