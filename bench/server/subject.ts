/** One measured process: the server or a baseline, started and asked over a channel. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FromSubject, ToSubject, Usage } from "./subjects/child.ts";

export const SUBJECTS = ["gearmice", "colyseus", "ws"] as const;
export type SubjectName = (typeof SUBJECTS)[number];

export interface Subject {
  readonly name: SubjectName;
  readonly url: string;
  readonly dataDir: string;
  /** `gc`: collect garbage first. */
  usage(gc?: boolean): Promise<Usage>;
  /** Baselines only: makes rooms and gives their keys. */
  rooms(count: number): Promise<readonly string[]>;
  /** In order, or at once by a signal; resolves when the process has gone. The folder stays when it was given. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface SubjectOptions {
  /** Of the duel that the baselines echo. */
  readonly level: number;
  /** The folder in which data folders are made: the disk whose syncs are measured. */
  readonly dir: string;
  /** Started again on what is there. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

const STARTED_WITHIN_MS = 60_000;

export async function startSubject(name: SubjectName, options: SubjectOptions): Promise<Subject> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(options.dir, "gearmice-bench-")));
  const child = fork(fileURLToPath(new URL(`subjects/${name}.ts`, import.meta.url)), [], {
    execArgv: ["--expose-gc", ...(options.nodeArgs ?? [])],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      PORT: "0",
      OPS_PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      SHOWCASE: "off",
      RATE_LIMITS: "off",
      // A benchmark's bot is faster than any player.
      SOCKET_MESSAGES_PER_SECOND: "1000000",
      SOCKET_KICK_PER_SECOND: "10000000",
      MAX_ROOMS: "100000",
      LEVEL: String(options.level),
      ...options.env,
    },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const { url } = await answerOf(child, "url");
  if (url === undefined) throw new Error(`${name} did not start`);
  const ask = (message: ToSubject, key: keyof FromSubject) => {
    const answer = answerOf(child, key);
    child.send(message);
    return answer;
  };
  return {
    name,
    url,
    dataDir,
    usage: async (gc = false) => (await ask({ ask: "usage", gc }, "usage")).usage as Usage,
    rooms: async (count) => (await ask({ ask: "rooms", count }, "rooms")).rooms ?? [],
    async stop(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        if (signal) child.kill(signal);
        else child.send({ ask: "stop" } satisfies ToSubject);
      }
      await exited;
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The next message of the child that has `key`. */
function answerOf(child: ChildProcess, key: keyof FromSubject): Promise<FromSubject> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error(`no ${key} in time`))), STARTED_WITHIN_MS);
    const read = (message: FromSubject) => key in message && end(() => resolve(message));
    const gone = (code: number | null) => end(() => reject(new Error(`a process ended with ${code} before ${key}`)));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      child.off("message", read);
      child.off("exit", gone);
      settle();
    };
    child.on("message", read);
    child.once("exit", gone);
  });
}
