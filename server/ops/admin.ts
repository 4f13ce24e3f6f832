/**
 * What an operator can see and do: the matches that this process holds, one of them, and its end. Never a seed, a token
 * or an identity: the view is that of a spectator, who may look into private matches too.
 */
import { Router } from "express";
import type { MatchHolder } from "../../rooms/MatchHolder.ts";
import type { Reporter } from "../../rooms/ports.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { parseMatchId, parseRoomCode } from "../../shared/protocol/ids.ts";
import type { RoomGateway } from "../gateway.ts";
import { granted } from "../http/common.ts";
import { roomInfo } from "../summary.ts";

export interface AdminPorts {
  readonly gateway: Pick<RoomGateway, "holders" | "locate">;
  readonly report: Reporter;
}

/** A match as an operator sees it in a list. */
export function adminRow(holder: MatchHolder) {
  const { engine, version, options } = holder.match;
  return {
    ...roomInfo(holder),
    turn: engine.turn,
    max_moves: engine.maxMoves,
    current_player: engine.currentPlayer,
    result: engine.result,
    turn_seconds: options.turn_seconds,
    /** Unix ms at which the mover's clock runs out; null without a running clock. */
    deadline_ms: holder.presence().deadline_ms,
    version,
  };
}

export type AdminRow = ReturnType<typeof adminRow>;

export function adminRouter({ gateway, report }: AdminPorts): Router {
  const router = Router();

  /** Held here, under its id or its room code. In a cluster a match without a holder is taken up by this. */
  const find = async (key: string): Promise<MatchHolder> => {
    const [id, code] = [parseMatchId(key), parseRoomCode(key)];
    if (id === null && code === null) {
      throw new RefusalError(refuse("bad_request", "This is neither a match id nor a room code."));
    }
    const { address } = granted(await gateway.locate(key));
    const holder = gateway.holders().find((one) => one.id === id || one.code === code);
    if (holder !== undefined) return holder;
    throw new RefusalError(
      refuse(
        "not_found",
        address === null
          ? "No such match or room is held here; what is over has its record."
          : `This match is held by the process at ${address}; ask that one.`,
      ),
    );
  };

  router.get("/matches", (_req, res) => void res.json({ matches: gateway.holders().map(adminRow) }));
  router.get("/matches/:key", async (req, res) => {
    const holder = await find(req.params.key);
    res.json({ match: adminRow(holder), state: holder.view(null) });
  });
  router.post("/matches/:key/close", async (req, res) => {
    const holder = await find(req.params.key);
    const { version } = granted(await holder.abandon());
    const { phase, result } = holder.match.engine;
    report.info("closed by an operator", { match_id: holder.id, code: holder.code, phase, version });
    res.json({ ok: true, match_id: holder.id, code: holder.code, phase, result, version });
  });
  return router;
}
