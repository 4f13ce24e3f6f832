/**
 * The keys of one installation: the token keys and the key that signs records are the same in every process, so that
 * each opens the seats that another gave. The first process that starts puts the files of its folder into Redis; the
 * others write what they find there into theirs (mode 0600). Folders that are shared by other means already agree.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { openSigner, SIGNER_FILE } from "../signing.ts";
import type { Link } from "../store/redis/link.ts";
import { openTokenKeys, TOKEN_FILE } from "../tokens.ts";

/** Rejects with StoreUnavailable when Redis is not there, with Error when `dir` holds keys of another installation. */
export async function shareKeys(link: Pick<Link, "run">, prefix: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const [name, make] of [
    [TOKEN_FILE, () => openTokenKeys(dir)],
    [SIGNER_FILE, () => openSigner(dir)],
  ] as const) {
    const key = `${prefix}keys:${name}`;
    const path = join(dir, name);
    const own = await textOf(path);
    if (own === null && (await link.run((redis) => redis.exists(key))) === 0) await make();
    const made = own ?? (await textOf(path));
    if (made !== null) await link.run((redis) => redis.set(key, made, { condition: "NX" }));
    const shared = await link.run((redis) => redis.get(key));
    if (shared === null) throw new Error(`Redis does not keep ${key}`);
    if (own !== null && own !== shared) {
      throw new Error(`${path} is not the key of this installation; move it away, or delete ${key} in Redis`);
    }
    if (made !== shared) await writeText(path, shared);
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function writeText(path: string, text: string): Promise<void> {
  const half = `${path}.${randomBytes(4).toString("hex")}.new`;
  const file = await open(half, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(half, path);
  await chmod(path, 0o600);
}
