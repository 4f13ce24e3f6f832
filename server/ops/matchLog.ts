/** Two lines in the log for each match, its start and its end, so that what is told about one can be put together. */
import type { Reporter } from "../../rooms/ports.ts";
import type { RoomGateway } from "../gateway.ts";

/** Returns what ends it. */
export function logMatches(gateway: Pick<RoomGateway, "onHeld">, report: Reporter): () => void {
  return gateway.onHeld((holder) => {
    holder.listen({
      event({ type }) {
        if (type !== "start" && type !== "over" && type !== "closed") return;
        const { match } = holder;
        const { format, level, turn, result } = match.engine;
        const what = { match_id: holder.id, code: holder.code, format, level, kind: match.kind };
        if (type === "start") report.info("match started", what);
        else if (type === "over") report.info("match over", { ...what, result, turns: turn });
        else report.info("room closed", what);
      },
    });
  });
}
