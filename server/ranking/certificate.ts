/**
 * Certificates: what one seat achieved in one match, signed with the key of the record that they are derived from.
 * The same log gives the same bytes wherever and however often they are made, so nothing can be counted twice.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { v5 as uuidV5 } from "uuid";
import { mayBeRanked, teamOf } from "../../shared/engine/index.ts";
import { CERTIFICATE_FORMAT, type Certificate, certificateSchema } from "../../shared/protocol/certificate.ts";
import { canonicalize, sha256Hex } from "../../shared/protocol/hash.ts";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import type { Signer } from "../../shared/protocol/record.ts";
import { headerLine, resultLine } from "../../shared/protocol/recordLines.ts";
import type { SealedRecord } from "../store/MatchStore.ts";

/** Nothing for a lab match (private, never ranked) and an abandoned one (R10.1). Throws when the record is none. */
export function certificatesOf(entries: readonly LogEntry[], record: SealedRecord, signer: Signer): Certificate[] {
  const last = record.lines.at(-1) ?? "";
  const header = headerLine.parse(JSON.parse(record.lines[0] ?? ""));
  const result = resultLine.parse(JSON.parse(last));
  const [created] = entries;
  if (created?.type !== "created" || header.kind === "lab" || result.result === "ABANDONED") return [];
  const owners = ownersOf(entries);
  return header.seats.flatMap(({ seat, kind, name, brain, model }) => {
    const owner = owners.get(seat);
    const numbers = result.players[seat];
    // House seats earn nothing.
    if (owner === undefined || brain !== null || numbers === undefined || kind === "any") return [];
    const unsigned = {
      certificate: CERTIFICATE_FORMAT,
      id: uuidV5(seat, header.match_id),
      match_id: header.match_id,
      /** SHA-256 of the record's last line: it pins the whole record. */
      record_hash: sha256Hex(last),
      format: header.format,
      level: header.level,
      kind: header.kind,
      ranked: mayBeRanked(header.options),
      seat,
      player_id: playerIdOf(owner),
      name: name ?? "",
      player_kind: kind,
      model: model ?? header.session?.model ?? null,
      prompt_hash: header.session?.prompt_hash ?? null,
      result: result.result,
      won: result.winner.includes(seat),
      place: result.places[seat] ?? 0,
      status: numbers.status,
      score: numbers.score,
      escaped: numbers.escaped,
      rescued: numbers.rescued,
      efficiency: numbers.efficiency,
      side_efficiency: result.team_efficiency?.[teamOf(seat)] ?? numbers.efficiency,
      turns: result.turns,
      tokens: numbers.tokens,
      ended_at_ms: record.summary.ended_at_ms,
      key_id: signer.keyId,
    };
    const signature = bytesToHex(signer.sign(hexToBytes(sha256Hex(canonicalize(unsigned)))));
    return [certificateSchema.parse({ ...unsigned, signature })];
  });
}

/** Says who the same player is in many matches, and not which identity that is. */
function playerIdOf(identity: IdentityId): string {
  return sha256Hex(`gearmice player ${identity}`).slice(0, 24);
}

function ownersOf(entries: readonly LogEntry[]): Map<string, IdentityId> {
  const owners = new Map<string, IdentityId>();
  for (const entry of entries) {
    if (entry.type === "seat_taken") owners.set(entry.seat, entry.identity);
    if (entry.type === "seat_left") owners.delete(entry.seat);
    if (entry.type === "start") break;
  }
  return owners;
}
