/** `gearmice verify FILE`: checks a record without a server (PROTOCOL 10). */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { checkSignature } from "../server/signing.ts";
import { verifyCertificate } from "../shared/protocol/certificate.ts";
import { type Verdict, verifyRecord } from "../shared/protocol/recordVerify.ts";

export interface VerifyCommandOptions {
  /** File or http(s) address of a key list as `/.well-known/gearmice-keys.json` gives it, or 64 hex digits. */
  readonly key?: string | undefined;
  readonly allowUnknownSigner?: boolean | undefined;
  /** One JSON object instead of a sentence. */
  readonly json?: boolean | undefined;
  /** Where the line goes; standard output when left out. */
  readonly write?: (text: string) => unknown;
}

/** Exit codes: 0 right, 1 wrong or signed by an unknown key, 2 file or keys cannot be read. */
export async function verifyCommand(file: string, options: VerifyCommandOptions): Promise<0 | 1 | 2> {
  const { json = false, write = (text) => process.stdout.write(text) } = options;
  const say = (text: string, value: object) => write(`${json ? JSON.stringify(value) : text}\n`);
  let record: Uint8Array;
  let keys: string[];
  try {
    record = await readFile(file);
    keys = options.key === undefined ? [] : await readKeys(options.key);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    say(`${file}: cannot be checked: ${problem}`, { ok: false, file, problem });
    return 2;
  }
  const text = new TextDecoder().decode(record);
  if (/^\s*\{\s*"certificate"\s*:/.test(text)) {
    const checked = await verifyCertificate(text, { keys, checkSignature });
    if (!checked.ok) {
      say(`${file}: ${checked.problem}`, { ok: false, file, problem: checked.problem });
      return 1;
    }
    const { id, match_id, key_id, result, efficiency } = checked.certificate;
    const trusted = checked.signer === "known" || options.allowUnknownSigner === true;
    const by =
      checked.signer === "known" ? `right, signed by ${key_id}` : `signature right, signer unknown (${key_id})`;
    say(`${file}: ${by}: certificate ${id} of match ${match_id}, ${result}, efficiency ${efficiency}`, {
      ...{ ok: trusted, file, signer: checked.signer },
      ...{ certificate: id, match_id, key_id, result, efficiency },
    });
    return trusted ? 0 : 1;
  }
  const verdict = await verifyRecord(record, { keys, checkSignature });
  if (!verdict.ok) {
    const { line, problem } = verdict;
    say(`${file}: line ${line}: ${problem}`, { ok: false, file, line, problem });
    return 1;
  }
  const accepted = verdict.signer === "known" || options.allowUnknownSigner === true;
  say(sentence(file, verdict), {
    ok: accepted,
    file,
    signer: verdict.signer,
    key_id: verdict.result.key_id,
    match_id: verdict.header.match_id,
    events: verdict.events,
    result: verdict.result.result,
    winner: verdict.result.winner,
  });
  return accepted ? 0 : 1;
}

function sentence(file: string, { signer, header, events, result }: Verdict & { ok: true }): string {
  const what = `match ${header.match_id}, ${events} events, ${result.result}`;
  return signer === "known"
    ? `${file}: right, signed by ${result.key_id} (${what})`
    : `${file}: chain and replay right, signer unknown (${what}, key ${result.key_id})`;
}

const keyListSchema = z.object({
  keys: z.array(z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string().length(43) })).min(1),
});
const FETCH_TIMEOUT_MS = 10_000;

/** Trusted public keys as hex. */
async function readKeys(source: string): Promise<string[]> {
  if (/^[0-9a-f]{64}$/.test(source)) return [source];
  const parsed = keyListSchema.safeParse(JSON.parse(await readSource(source)));
  if (!parsed.success) throw new Error(`${source} is no list of Ed25519 keys`);
  return parsed.data.keys.map(({ x }) => Buffer.from(x, "base64url").toString("hex"));
}

async function readSource(source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(source, "utf8");
  const answer = await fetch(source, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${source} answers ${answer.status}`);
  return answer.text();
}
