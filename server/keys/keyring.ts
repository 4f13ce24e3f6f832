/** The keys of a running process: looked at again and again, so that a rotation is taken up without a restart. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Reporter } from "../../rooms/ports.ts";
import { openRecordKeys, type RecordKeys, type RecordSigner, SIGNER_FILE, signerOf } from "./recordKeys.ts";
import { openTokenKeys, TOKEN_FILE, type TokenKeys } from "./tokenKeys.ts";

/** A new key must not sign before every process has looked (see `gearmice keys rotate`). */
export const LOOK_MS = 2_000;

export interface Keyring {
  tokenKeys(): TokenKeys;
  /** The signer as of now. */
  signer(): RecordSigner;
  stop(): void;
}

export interface KeyringPorts {
  readonly clock: Clock;
  readonly report: Reporter;
  /** Brings the files up to what other processes have; left out: they are only this one's. */
  readonly pull?: () => Promise<void>;
}

/** Opens the keys of `dir`, made if there are none, and follows them. Throws when they are damaged or unreadable. */
export function openKeyring(dir: string, { clock, report, pull }: KeyringPorts): Keyring {
  const marks = () =>
    [TOKEN_FILE, SIGNER_FILE]
      .map((name) => statSync(join(dir, name), { throwIfNoEntry: false }))
      .map((stat) => `${stat?.mtimeMs} ${stat?.ino} ${stat?.size}`)
      .join();
  let tokenKeys: TokenKeys = openTokenKeys(dir);
  let recordKeys: RecordKeys = openRecordKeys(dir);
  let seen = marks();
  let problem = "";
  let stopped = false;
  let cancel = () => {};

  const look = async () => {
    try {
      await pull?.();
      const now = marks();
      if (now !== seen) {
        [tokenKeys, recordKeys] = [openTokenKeys(dir), openRecordKeys(dir)];
        report.info("keys taken up", { token_keys: tokenKeys.length, record_keys: recordKeys.length });
      }
      seen = now;
      problem = "";
    } catch (error) {
      // What we have stays good. Told once, not every time it is looked.
      if (problem !== String(error)) report.error(error, { at: "keys" });
      problem = String(error);
    }
    later();
  };
  const later = () => {
    if (!stopped) cancel = clock.after(LOOK_MS, () => void look());
  };
  later();
  return {
    tokenKeys: () => tokenKeys,
    signer: () => signerOf(recordKeys, clock.wallMs()),
    stop() {
      stopped = true;
      cancel();
    },
  };
}
