/** `gearmice keys`: the keys that sign tokens and records, listed and rotated; a running server takes them up. */
import { setTimeout as sleep } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import type { KeyHome, KeyRow } from "../server/keys/rotate.ts";

const HELP = `
Keys lie in DATA_DIR (./data), with REDIS_URL in Redis for all processes. Running servers look every two seconds and
take new keys up without a restart; the new keys sign some seconds later (--after), when every process knows them.

Records that are signed already stay checkable: old public keys stay in /.well-known/gearmice-keys.json for good, old
private ones are thrown away. Tokens of the old key stay good for --keep-days; who comes back later joins again.

Exit codes: 0 done, 1 failed, 2 a wrong call.

Examples:
  $ gearmice keys list
  $ gearmice keys rotate
  $ gearmice keys rotate --keep-days 0    # the token key has been seen by others: every seat is given up at once
  $ gearmice keys unlist 5f3bedef890f10583eb6bfc54e50c9245f3bedef890f10583eb6bfc54e50c924    # an id of \`keys list\``;

const DAY_MS = 24 * 60 * 60 * 1_000;

const whole = (max: number) => (text: string) => {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new InvalidArgumentError(`it must be a whole number, at most ${max}.`);
};

export function keysCommand(): Command {
  const keys = new Command("keys")
    .description("the keys that sign tokens and records: list, rotate, unlist")
    .addHelpText("after", HELP);
  const sub = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option("--json", "one JSON object instead of text")
      .addHelpText("after", HELP)
      .showHelpAfterError("(add --help for what is possible)")
      .exitOverride();
  sub("list", "ids and dates of all keys, and nothing that is secret").action((options: { readonly json?: boolean }) =>
    withKeys(async (home) => tell(home, options.json)),
  );
  sub("rotate", "a new key for tokens and one for records")
    .option("--keep-days <n>", "how long tokens of the old key stay good", whole(3_650), 90)
    .option("--after <seconds>", "when the new keys begin to sign", whole(3_600), 10)
    .action(rotate);
  sub("unlist", "publish a record key no more that others may have: what it signed is by an unknown signer then")
    .argument("<id>", "a record key that signs no more, as `keys list` shows it")
    .action(async (id: string, options: { readonly json?: boolean }) => {
      const { unlistKey } = await import("../server/keys/rotate.ts");
      await withKeys(async (home) => {
        await unlistKey(home, id, Date.now());
        await tell(home, options.json);
      });
    });
  return keys;
}

interface RotateOptions {
  readonly json?: boolean;
  readonly keepDays: number;
  readonly after: number;
}

async function rotate({ json, keepDays, after }: RotateOptions): Promise<void> {
  const { rotateKeys, retireKeys } = await import("../server/keys/rotate.ts");
  await withKeys(async (home) => {
    await rotateKeys(home, Date.now(), { afterMs: after * 1_000, keepMs: keepDays * DAY_MS });
    if (!json && after > 0) process.stderr.write(`The new keys are there, and sign in ${after} s ...\n`);
    // Until then the old ones are needed; cut short, the next rotation sees to it.
    await sleep(after * 1_000);
    await retireKeys(home, Date.now());
    await tell(home, json);
  });
}

/** Opens the place where the keys lie. Rejects when no server has made any. */
async function withKeys(work: (home: KeyHome) => Promise<void>): Promise<void> {
  const [{ readConfig }, { folderKeys, redisKeys }] = await Promise.all([
    import("../server/config.ts"),
    import("../server/keys/rotate.ts"),
  ]);
  const { DATA_DIR, REDIS_URL, REDIS_PREFIX } = readConfig(process.env);
  if (REDIS_URL === undefined) return work(folderKeys(DATA_DIR));
  const { Link } = await import("../server/store/redis/link.ts");
  const link = await Link.open({ url: REDIS_URL, report: { error: () => {}, info: () => {} } });
  try {
    await work(await redisKeys(link, REDIS_PREFIX, DATA_DIR));
  } finally {
    link.destroy();
  }
}

async function tell(home: KeyHome, json = false): Promise<void> {
  const { listKeys } = await import("../server/keys/rotate.ts");
  const rows = await listKeys(home, Date.now());
  process.stdout.write(json ? `${JSON.stringify({ keys: rows })}\n` : rows.map(sentence).join(""));
}

const SAYS: Readonly<Record<KeyRow["state"], string>> = {
  signs: "signs",
  next: "signs soon",
  past: "signs no more",
  expired: "expired",
};

function sentence({ use, id, state, from_ms, until_ms }: KeyRow): string {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  const from = from_ms < DAY_MS ? "" : `, from ${day(from_ms)}`;
  const until =
    until_ms === null ? "" : `, its tokens ${state === "expired" ? "were" : "are"} good until ${day(until_ms)}`;
  return `${use.padEnd(7)}  ${id}  ${SAYS[state]}${from}${until}\n`;
}
