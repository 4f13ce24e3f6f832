/** A data folder of its own with a real signer, for tests of the file store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter } from "../../rooms/ports.ts";
import { openSigner } from "../keys/recordKeys.ts";
import { makeSeal } from "../signing.ts";
import { type FileStore, type FileStoreOptions, openFileStore } from "./fileStore.ts";

export interface FileHome {
  readonly dir: string;
  readonly keyId: string;
  /** What was reported, by place. */
  readonly reported: { readonly at: string; readonly error: unknown }[];
  open(options?: Partial<FileStoreOptions>): Promise<FileStore>;
  dispose(): Promise<void>;
}

/** `dir`: an existing folder; left out, a new one is made. */
export async function fileHome(defaults: Partial<FileStoreOptions> = {}, dir?: string): Promise<FileHome> {
  const home = dir ?? (await mkdtemp(join(tmpdir(), "gearmice-store-")));
  const signer = openSigner(home);
  const reported: { at: string; error: unknown }[] = [];
  const report: Reporter = {
    error: (error, { at }) => reported.push({ at, error }),
    info: () => {},
  };
  return {
    dir: home,
    keyId: signer.keyId,
    reported,
    open: (options) =>
      openFileStore(join(home, "data"), {
        seal: makeSeal(signer),
        report,
        settleMs: 0,
        retryMs: 20,
        ...defaults,
        ...options,
      }),
    dispose: () => rm(home, { recursive: true, force: true }),
  };
}
