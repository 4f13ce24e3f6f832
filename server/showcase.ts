/** One match of house bots is always live, at a pace at which it can be followed; the presets take turns. */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { Clock, Reporter } from "../rooms/ports.ts";
import { PRESETS } from "../shared/protocol/presets.ts";
import type { Peers } from "./cluster/peers.ts";
import { planMatch } from "./create.ts";
import type { RoomGateway } from "./gateway.ts";
import type { MatchClaims } from "./store/MatchStore.ts";
import type { roomRow } from "./summary.ts";

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
  /** Whether this process, of several, is to open the next; left out: always. */
  mayOpen?(): Promise<boolean>;
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
    try {
      const running = gateway.holders().find(({ match }) => isShowcase(match) && match.engine.phase !== "over");
      if (running) return follow(running);
      if (ports.mayOpen && !(await ports.mayOpen())) return later(RETRY_MS);
      const preset = SHOWN[next++ % SHOWN.length];
      if (stopped || preset === undefined) return;
      const planned = planMatch({ preset: preset.id }, ports);
      const opened = planned.ok ? await gateway.open(planned.plan, { host: null }) : planned;
      if (opened.ok) return follow(opened.holder);
      report.info("no showcase", { refusal: opened.code, reason: opened.message });
    } catch (error) {
      report.error(error, { at: "showcase" });
    }
    later(RETRY_MS);
  };

  void open();
  return () => {
    stopped = true;
    cancel();
  };
}

/**
 * One showcase for all processes: one of the living opens it, when no other holds one that goes on and none may lie
 * with a process that is silent or gone.
 */
export async function mayShow(claims: MatchClaims, peers: Peers): Promise<boolean> {
  if (!(await claims.leads("showcase"))) return false;
  if ((await claims.orphans(1)).length > 0) return false;
  const lists = await peers.ask<{ rooms: readonly Shown[] }>("/api/v1/rooms");
  return lists.every(
    (list) =>
      list !== null && !list.rooms.some((row) => row.phase !== "over" && row.host === null && isShown(row.preset)),
  );
}

type Shown = Pick<ReturnType<typeof roomRow>, "phase" | "host" | "preset">;

function isShown(preset: string | null): boolean {
  return SHOWN.some(({ id }) => id === preset);
}

/** Nobody asked for it: it has no host and comes from a preset of the house alone. */
function isShowcase({ host, preset }: MatchHolder["match"]): boolean {
  return host === null && isShown(preset);
}
