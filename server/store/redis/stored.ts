/** From what Redis holds to entries and signs. */
import type { LogEntry } from "../../../shared/protocol/log.ts";
import type { AliveSign } from "../alive.ts";
import type { StreamEntry } from "./leaseScripts.ts";

/** The entries of a stream in order. Throws SyntaxError when one is damaged. */
export function entriesOf(stream: readonly StreamEntry[]): LogEntry[] {
  return stream.map(([, fields]) => JSON.parse(fields[1] ?? "") as LogEntry);
}

export function makeSign(sign: AliveSign): string {
  return `${sign.version}:${sign.elapsedMs}`;
}

/** Null when there is none. */
export function signOf(text: string | null | undefined): AliveSign | null {
  const found = /^(\d+):(\d+)$/.exec(text ?? "");
  return found && { version: Number(found[1]), elapsedMs: Number(found[2]) };
}
