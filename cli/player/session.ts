/** Who plays, where: the folder, the server and the identity there. */
import { userInfo } from "node:os";
import { type Api, openApi } from "../../agents/drivers/api.ts";
import type { Answer } from "../../shared/protocol/codes.ts";
import type { PlayerFolder, StoredIdentity } from "./folder.ts";

export interface Player {
  readonly folder: PlayerFolder;
  readonly api: Api;
  readonly identity: StoredIdentity;
  /** What others are shown as the name of the seats that are taken now. */
  readonly name: string;
}

/** A refusal of the server ends a command: exit code 1, with the code in front. */
export function granted<T extends { readonly ok: true }>(answer: T | Exclude<Answer<object>, { ok: true }>): T {
  if (answer.ok) return answer as T;
  throw new Error(`${answer.code}: ${answer.message}`);
}

/**
 * The player at the folder's server, under `name` or the folder's; a guest is made where nobody is
 * known. `tell` is told why a call is tried again.
 */
export async function openPlayer(
  folder: PlayerFolder,
  name?: string,
  tell: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): Promise<Player> {
  const api = openApi(folder.server, (reason, ms) => tell(`${reason}; trying again in ${Math.round(ms / 1_000)} s`));
  const known = await folder.identity(folder.server);
  const wished = name ?? folder.env.GEARMICE_NAME;
  if (known !== null && (await accepts(api, known))) {
    return { folder, api, identity: known, name: wished ?? known.name };
  }
  const identity = await newGuest(api, wished ?? userInfo().username);
  await folder.keepIdentity(folder.server, identity);
  return { folder, api, identity, name: identity.name };
}

export async function newGuest(api: Api, name: string): Promise<StoredIdentity> {
  const made = granted(await api.call<StoredIdentity>("/identities", { body: { name } }));
  return { token: made.token, id: made.id, name: made.name };
}

/** A server with new keys knows nobody. */
async function accepts(api: Api, { token }: StoredIdentity): Promise<boolean> {
  const answer = await api.call("/seats", { token });
  if (answer.ok) return true;
  if (answer.code === "unauthorized") return false;
  throw new Error(`${answer.code}: ${answer.message}`);
}
