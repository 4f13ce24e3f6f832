/**
 * The player's folder, `~/gearmice`: settings, an identity for each server, and templates to begin with. It is made on
 * first use; what is there already is left alone.
 */
import { chmod, copyFile, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";

const TEMPLATES = new URL("templates/", import.meta.url);
const IDENTITIES = "identities.json";
const DEFAULT_SERVER = "http://localhost:2567";

const identitySchema = z.object({ token: z.string(), id: z.string(), name: z.string() });
export type StoredIdentity = z.infer<typeof identitySchema>;
/** By the address of the server. */
const identitiesSchema = z.record(z.string(), identitySchema);

export interface PlayerFolder {
  readonly path: string;
  /** The environment, over what `.env` says. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The server to play on, without a slash at the end. */
  readonly server: string;
  identity(server: string): Promise<StoredIdentity | null>;
  /** Readable by its owner alone. */
  keepIdentity(server: string, identity: StoredIdentity): Promise<void>;
  /** Names of the texts in `prompts/` or `strategies/`. */
  texts(kind: "prompts" | "strategies"): Promise<string[]>;
}

/** `server`: what the command line says. Throws when the folder can be neither read nor made, or the address is none. */
export async function openFolder(env: NodeJS.ProcessEnv, server?: string): Promise<PlayerFolder> {
  const path = env.GEARMICE_HOME ?? join(homedir(), "gearmice");
  await fill(path);
  const own = parseEnv(await readFile(join(path, ".env"), "utf8"));
  const merged = { ...own, ...env };
  const file = join(path, IDENTITIES);
  const identities = async () => {
    const text = await readFile(file, "utf8").catch(() => "{}");
    return identitiesSchema.parse(JSON.parse(text));
  };
  return {
    path,
    env: merged,
    server: addressOf(server ?? merged.GEARMICE_SERVER ?? DEFAULT_SERVER),
    identity: async (at) => (await identities())[at] ?? null,
    async keepIdentity(at, identity) {
      const all = { ...(await identities()), [at]: identity };
      const next = `${file}.${process.pid}`;
      await writeFile(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
      await rename(next, file);
    },
    async texts(kind) {
      const files = await readdir(join(path, kind)).catch(() => []);
      return files.filter((name) => /\.(txt|md)$/.test(name)).sort();
    },
  };
}

async function fill(path: string): Promise<void> {
  for (const dir of ["agents", "prompts", "strategies"]) await mkdir(join(path, dir), { recursive: true });
  const files = [
    ["env", ".env"],
    ["agent.ts", "agents/agent.ts"],
    ["agent.py", "agents/agent.py"],
  ] as const;
  for (const [from, to] of files) {
    const target = join(path, to);
    if (await stat(target).catch(() => null)) continue;
    await copyFile(new URL(from, TEMPLATES), target);
    // Keys of model providers may be written there.
    if (to === ".env") await chmod(target, 0o600);
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${text} is no http(s) address`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** A wrong call of the command: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
