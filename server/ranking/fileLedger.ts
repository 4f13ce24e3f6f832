/** The ledger of one process: `certificates.jsonl`, one line a match; boards are made of it at start. */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { StoreUnavailable } from "../../rooms/ports.ts";
import { type Certificate, certificateSchema } from "../../shared/protocol/certificate.ts";
import { type BoardRow, boardKey, isBetter, type Ledger, rowOf } from "./ledger.ts";

export const LEDGER_FILE = "certificates.jsonl";

const lineSchema = z.array(certificateSchema).min(1);

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Opens the file; a last line that a crash cut short is dropped. Rejects when the file cannot be read or is damaged. */
export async function openFileLedger(path: string): Promise<Ledger> {
  const places = new Map<string, Place>();
  const boards = new Map<string, Map<string, BoardRow>>();
  const file = await open(path, "a+", 0o600);
  let size = await loadAll(path, file, (certificates, place) => take(certificates, place));
  let last: Promise<void> = Promise.resolve();

  function take(certificates: readonly Certificate[], place: Place): void {
    for (const certificate of certificates) {
      if (places.has(certificate.id)) continue;
      places.set(certificate.id, place);
      if (certificate.ranked) count(certificate);
    }
  }

  function count(certificate: Certificate): void {
    const key = boardKey(certificate);
    const board = boards.get(key) ?? new Map<string, BoardRow>();
    boards.set(key, board);
    const row = rowOf(certificate);
    const before = board.get(row.player_id);
    const sums = { matches: row.matches + (before?.matches ?? 0), wins: row.wins + (before?.wins ?? 0) };
    board.set(row.player_id, { ...(before && !isBetter(row, before) ? before : row), ...sums });
  }

  async function append(certificates: readonly Certificate[]): Promise<void> {
    const fresh = certificates.filter(({ id }) => !places.has(id));
    if (fresh.length === 0) return;
    const line = Buffer.from(`${JSON.stringify(fresh)}\n`);
    try {
      // What an append before left half-written goes.
      await file.truncate(size);
      await file.appendFile(line);
      await file.sync();
    } catch (cause) {
      throw new StoreUnavailable("the certificates could not be written", { cause });
    }
    take(fresh, { offset: size, length: line.length });
    size += line.length;
  }

  return {
    add(certificates) {
      const adding = last.then(() => append(certificates));
      last = adding.catch(() => {});
      return adding;
    },
    async board(name, limit) {
      const rows = [...(boards.get(boardKey(name))?.values() ?? [])];
      return rows.sort((a, b) => (isBetter(a, b) ? -1 : 1)).slice(0, limit);
    },
    async certificate(id) {
      const place = places.get(id);
      if (place === undefined) return null;
      const { buffer } = await file.read(Buffer.alloc(place.length), 0, place.length, place.offset);
      return lineSchema.parse(JSON.parse(buffer.toString("utf8"))).find((c) => c.id === id) ?? null;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

/** Reads all whole lines and returns where they end. */
async function loadAll(
  path: string,
  file: FileHandle,
  take: (certificates: Certificate[], place: Place) => void,
): Promise<number> {
  const total = (await file.stat()).size;
  let offset = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const length = Buffer.byteLength(line) + 1;
    if (offset + length > total) break;
    take(lineSchema.parse(JSON.parse(line)), { offset, length });
    offset += length;
  }
  return offset;
}
