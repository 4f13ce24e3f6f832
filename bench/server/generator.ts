/** The load generator as the benchmark sees it: some processes that share the rooms. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Figures, FromGenerator, Plan, Room, ToGenerator } from "./generatorChild.ts";
import type { Subject } from "./subject.ts";

export interface Load {
  readonly level: number;
  /** Over all processes. */
  readonly rooms: number;
  /** In each room. */
  readonly spectators?: number;
  readonly sockets?: boolean;
  readonly live?: boolean;
  readonly processes?: number;
}

/** Two cores: one process more than that only takes from the server. */
const PROCESSES = 2;
const WITHIN_MS = 180_000;

export class Generator {
  readonly rooms: readonly Room[];
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[], rooms: readonly Room[]) {
    this.#children = children;
    this.rooms = rooms;
  }

  /** Resolves when everybody sits in their rooms. */
  static async start(subject: Pick<Subject, "name" | "url" | "rooms">, load: Load): Promise<Generator> {
    const count = Math.min(load.processes ?? PROCESSES, load.rooms);
    const keys = subject.name === "gearmice" ? [] : await subject.rooms(load.rooms);
    const children = Array.from({ length: count }, () =>
      fork(fileURLToPath(new URL("generatorChild.ts", import.meta.url)), [], { stdio: "inherit" }),
    );
    try {
      const ready = await Promise.all(
        children.map((child, i) => {
          const [from, to] = [i, i + 1].map((n) => Math.floor((load.rooms * n) / count)) as [number, number];
          const plan: Plan = {
            door: { kind: subject.name, url: subject.url },
            level: load.level,
            rooms: to - from,
            spectators: load.spectators ?? 0,
            keys: keys.slice(from, to),
            sockets: load.sockets ?? true,
            live: load.live ?? true,
            localAddress: `127.0.0.${i + 2}`,
          };
          return ask(child, { do: "setUp", plan }, "ready");
        }),
      );
      return new Generator(
        children,
        ready.flatMap((one) => one.rooms ?? []),
      );
    } catch (error) {
      for (const child of children) if (child.connected) child.disconnect();
      throw error;
    }
  }

  /** Everybody moves from now on, as fast as they are answered. */
  play(): void {
    this.#tell({ do: "play" });
  }

  /** Every room makes so many moves. Resolves when all have been answered and heard of. */
  async playSome(count: number): Promise<readonly NonNullable<FromGenerator["played"]>[]> {
    return (await this.#ask({ do: "play", moves: count }, "played")).map(({ played }) => played!);
  }

  mark(): void {
    this.#tell({ do: "mark" });
  }

  async freeze(): Promise<readonly Figures[]> {
    return (await this.#ask({ do: "freeze" }, "figures")).map(({ figures }) => figures!);
  }

  /** Waits for what is on its way. `exhausted`: rooms whose duel ended before the measurement did. */
  async stop(): Promise<{ readonly moves: number; readonly exhausted: number }> {
    const all = (await this.#ask({ do: "stop" }, "stopped")).map(({ stopped }) => stopped!);
    return {
      moves: all.reduce((sum, one) => sum + one.moves, 0),
      exhausted: all.reduce((sum, one) => sum + one.exhausted, 0),
    };
  }

  /** Ends the processes; their sockets close. */
  async end(): Promise<void> {
    const left = this.#children.filter((child) => child.connected);
    const gone = left.map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of left) child.disconnect();
    await Promise.all(gone);
  }

  #tell(message: ToGenerator): void {
    for (const child of this.#children) child.send(message);
  }

  #ask(message: ToGenerator, key: keyof FromGenerator): Promise<FromGenerator[]> {
    return Promise.all(this.#children.map((child) => ask(child, message, key)));
  }
}

function ask(child: ChildProcess, message: ToGenerator, key: keyof FromGenerator): Promise<FromGenerator> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error(`the generator gave no ${key} in time`))), WITHIN_MS);
    const read = (answer: FromGenerator) => {
      if (answer.failed !== undefined) end(() => reject(new Error(`generator: ${answer.failed}`)));
      else if (key in answer) end(() => resolve(answer));
    };
    const gone = (code: number | null) => end(() => reject(new Error(`a generator ended with ${code}`)));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      child.off("message", read);
      child.off("exit", gone);
      settle();
    };
    child.on("message", read);
    child.once("exit", gone);
    child.send(message);
  });
}
