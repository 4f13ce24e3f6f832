/** One match of house bots is always live, at a pace at which it can be followed; the presets take turns. */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { Clock, Reporter } from "../rooms/ports.ts";
import { PRESETS } from "../shared/protocol/presets.ts";
import { planMatch } from "./create.ts";
import type { RoomGateway } from "./gateway.ts";

/** Between the end of one match and the start of the next, so that the result can be read. */
const PAUSE_MS = 8_000;
const RETRY_MS = 15_000;

const SHOWN = PRESETS.filter((preset) => preset.group === "AI Showcase");

export interface ShowcasePorts {
  readonly gateway: RoomGateway;
  readonly clock: Clock;
  readonly report: Reporter;
  readonly turnSeconds: number;
  knowsBrain(brain: string): boolean;
}

/** Starts the showcase, or goes on with the one that recovery has brought back. Returns what ends it. */
export function startShowcase(ports: ShowcasePorts): () => void {
  const { gateway, clock, report } = ports;
  let stopped = false;
  let cancel = () => {};
  let next = Math.floor(clock.wallMs() / 1_000) % SHOWN.length;

  const later = (ms: number) => {
    if (!stopped) cancel = clock.after(ms, () => void open());
  };
  const follow = (holder: MatchHolder) => {
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      later(PAUSE_MS);
    };
    holder.listen({ event: (message) => void (message.phase === "over" && end()), retired: end });
  };
  const open = async () => {
    const preset = SHOWN[next++ % SHOWN.length];
    if (stopped || preset === undefined) return;
    try {
      const planned = planMatch({ preset: preset.id }, ports);
      const opened = planned.ok ? await gateway.open(planned.plan, { host: null }) : planned;
      if (opened.ok) return follow(opened.holder);
      report.info("no showcase", { code: opened.code, reason: opened.message });
    } catch (error) {
      report.error(error, { at: "showcase" });
    }
    later(RETRY_MS);
  };

  const running = gateway.holders().find(({ match }) => isShowcase(match) && match.engine.phase !== "over");
  if (running) follow(running);
  else void open();
  return () => {
    stopped = true;
    cancel();
  };
}

/** Nobody asked for it: it has no host and comes from a preset of the house alone. */
function isShowcase({ host, preset }: MatchHolder["match"]): boolean {
  return host === null && SHOWN.some(({ id }) => id === preset);
}
