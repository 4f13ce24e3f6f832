/** Records are made and signed here, and signatures checked (PROTOCOL 10). The keys are in keys/recordKeys.ts. */
import { createPublicKey, verify } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { standings } from "../shared/engine/index.ts";
import { type LiveMatch, LogError } from "../shared/protocol/match.ts";
import { recordLines, type Signer } from "../shared/protocol/record.ts";
import type { SignatureCheck } from "../shared/protocol/recordVerify.ts";
import type { FinishedMatch, Seal } from "./store/MatchStore.ts";

/** Keys change: a signer is asked for when there is something to sign, and then used for all of that. */
export type SignerSource = Signer | (() => Signer);

export function signerNow(source: SignerSource): Signer {
  return typeof source === "function" ? source() : source;
}

/** Ed25519 as Node has it. */
export const checkSignature: SignatureCheck = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString("base64url");
  try {
    return verify(null, message, createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } }), signature);
  } catch {
    return false; // 32 bytes that are no point of the curve
  }
};

/** A record is replayed in slices of this many milliseconds, so that rooms on the same thread stay responsive. */
const SLICE_MS = 4;

/** Makes and signs the record of a match that is over, for a store. */
export function makeSeal(source: SignerSource): Seal {
  return async (entries) => {
    if (entries.at(-1)?.type === "closed") return null;
    const lines: string[] = [];
    const making = recordLines(entries, signerNow(source));
    for (let sliceEnd = performance.now() + SLICE_MS; ; ) {
      const next = making.next();
      if (next.done) return { lines, summary: summaryOf(next.value) };
      lines.push(next.value);
      if (performance.now() > sliceEnd) {
        await breathe();
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
  };
}

function summaryOf(match: LiveMatch): FinishedMatch {
  const { engine, tokens } = match;
  if (engine.result === null || match.ended_at_ms === null) throw new LogError(`match ${match.id} is not over`);
  const totals = Object.fromEntries(engine.players.map((p) => [p, tokens[p]?.total ?? 0]));
  return {
    match_id: match.id,
    room_code: match.code,
    format: engine.format,
    level: engine.level,
    kind: match.kind,
    preset: match.preset,
    private: match.options.private,
    ended_at_ms: match.ended_at_ms,
    result: engine.result,
    winner: standings(engine, { kind: match.kind, tokens: totals }).winner,
    seats: match.seats.map((s) => ({ seat: s.seat, kind: s.occupant ?? s.kind, name: s.name, brain: s.brain })),
  };
}
