/** What this process counts, for Prometheus. Labels have few values: formats, phases, codes, rules; never an id. */
import type { RequestHandler } from "express";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { EventType } from "../../shared/protocol/messages.ts";
import type { RoomGateway } from "../gateway.ts";
import type { Limits } from "../limits.ts";
import type { CommandTimer } from "../service/doors.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { httpMetrics } from "./httpMetrics.ts";

const COMMIT_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface Metrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Counts the matches of a gateway and what happens in them; returns its unbind. */
  watch(gateway: Pick<RoomGateway, "holders" | "onHeld">): () => void;
  /** Times commands by door, and counts them by code. */
  readonly command: CommandTimer;
  /** Counts the calls of the HTTP door. */
  readonly http: RequestHandler;
  /** The same limits; what they refuse is counted by rule. */
  counted(limits: Limits): Limits;
  /** The same store; how long its commits take, and how many fail, is measured. */
  timed(store: MatchStore): MatchStore;
  recovered(matches: number, seconds: number): void;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const events = new Counter({
    name: "gearmice_events_total",
    help: "Entries of matches held here, by type; type turn are accepted commands",
    labelNames: ["type", "format"],
    registers,
  });
  const refusals = new Counter({
    name: "gearmice_refusals_total",
    help: "Commands refused by the rules that count (R8.1), by code",
    labelNames: ["code"],
    registers,
  });
  const limited = new Counter({
    name: "gearmice_limited_total",
    help: "Calls refused by a limit, by rule",
    labelNames: ["rule"],
    registers,
  });
  const open = new Gauge({
    name: "gearmice_open",
    help: "Open now, by what is limited: streams, sockets",
    labelNames: ["what"],
    registers,
  });
  const commands = new Counter({
    name: "gearmice_commands_total",
    help: "Moves that were answered, by door and by code (ok: accepted)",
    labelNames: ["door", "code"],
    registers,
  });
  const commandSeconds = new Histogram({
    name: "gearmice_command_seconds",
    help: "From a move's arrival at its match's process until its answer, by door",
    labelNames: ["door"],
    buckets: COMMIT_SECONDS,
    registers,
  });
  const commit = new Histogram({
    name: "gearmice_commit_seconds",
    help: "From handing entries to the log until they are durable",
    buckets: COMMIT_SECONDS,
    registers,
  });
  const commitFailures = new Counter({
    name: "gearmice_commit_failures_total",
    help: "Entries that the log did not take",
    registers,
  });
  const recovered = new Counter({
    name: "gearmice_recovered_matches_total",
    help: "Matches taken up after a restart or from another process",
    registers,
  });
  const recovery = new Gauge({
    name: "gearmice_recovery_seconds",
    help: "What taking up matches took, the last time",
    registers,
  });

  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    watch(gateway) {
      gauges(registry, gateway);
      return gateway.onHeld((holder) => {
        const { format } = holder.match.engine;
        holder.listen({
          event(message) {
            events.inc({ type: message.type satisfies EventType, format });
            for (const event of message.events) if (event.type === "refused") refusals.inc({ code: event.code });
          },
        });
      });
    },
    command(door) {
      const end = commandSeconds.startTimer({ door });
      return (code) => {
        end();
        commands.inc({ door, code });
      };
    },
    http: httpMetrics(registry),
    counted: (limits) => ({
      async take(...args) {
        const refusal = await limits.take(...args);
        if (refusal) limited.inc({ rule: args[0] });
        return refusal;
      },
      open(...args) {
        const [what] = args;
        const close = limits.open(...args);
        if (close === null) {
          limited.inc({ rule: what });
          return null;
        }
        open.inc({ what });
        let closed = false;
        return () => {
          if (!closed) open.dec({ what });
          closed = true;
          close();
        };
      },
    }),
    timed(store) {
      const append: MatchStore["append"] = async (...args) => {
        const end = commit.startTimer();
        try {
          await store.append(...args);
          end();
        } catch (error) {
          commitFailures.inc();
          throw error;
        }
      };
      // The store's own methods keep their receiver: its private fields are no other object's.
      return new Proxy(store, {
        get(target, key) {
          if (key === "append") return append;
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
    recovered(matches, seconds) {
      recovered.inc(matches);
      recovery.set(seconds);
    },
  };
}

/** Counted when somebody asks, over what is held then. */
function gauges(registry: Registry, gateway: Pick<RoomGateway, "holders">): void {
  const registers = [registry];
  new Gauge({
    name: "gearmice_rooms",
    help: "Rooms held by this process, by phase and format",
    labelNames: ["phase", "format"],
    registers,
    collect() {
      this.reset();
      for (const { match } of gateway.holders()) this.inc({ phase: match.engine.phase, format: match.engine.format });
    },
  });
  new Gauge({
    name: "gearmice_seats",
    help: "Seats in rooms held by this process: taken, and connected",
    labelNames: ["what"],
    registers,
    collect() {
      this.set({ what: "taken" }, 0);
      this.set({ what: "connected" }, 0);
      for (const holder of gateway.holders()) {
        this.inc({ what: "taken" }, holder.match.seats.filter((seat) => seat.taken).length);
        this.inc({ what: "connected" }, holder.connected().size);
      }
    },
  });
  new Gauge({
    name: "gearmice_spectators",
    help: "Spectators connected to this process",
    registers,
    collect() {
      this.set(gateway.holders().reduce((sum, holder) => sum + holder.spectators, 0));
    },
  });
}
