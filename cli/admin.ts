/** `gearmice admin`: the matches that a running server holds, asked and closed by its own port; copies of its data. */
import { Command } from "commander";
import { z } from "zod";

const HELP = `
It reads the admin token and the address of the running server from DATA_DIR (./data), so run it on the same machine,
as the same user. Of several processes each has a folder, and lists what it holds itself.

Exit codes: 0 done, 1 refused or no server answers, 2 a wrong call.

Examples:
  $ gearmice admin list
  $ gearmice admin inspect IXENT-K7M2QP --json
  $ DATA_DIR=/var/lib/gearmice gearmice admin close 019a7c1e-2f00-7abc-8def-0123456789ab`;

const BACKUP_HELP = `
The copy is a data folder like any other: to restore it, start a server with DATA_DIR set to it (or to a copy of it).
It holds keys and the seeds of running matches, so keep it as private as DATA_DIR. With REDIS_URL, matches lie in Redis:
back that up instead.

Exit codes: 0 done, 1 failed (the copy is not whole: remove it), 2 a wrong call.

Examples:
  $ gearmice admin backup /backup/gearmice-$(date +%F)
  $ DATA_DIR=/backup/gearmice-2026-11-30 gearmice serve`;

interface AdminOptions {
  readonly address?: string;
  readonly json?: boolean;
}

const ANSWER_MS = 10_000;

const rowSchema = z.object({
  code: z.string(),
  match_id: z.string(),
  format: z.string(),
  level: z.number(),
  kind: z.string(),
  phase: z.string(),
  private: z.boolean(),
  turn: z.number(),
  max_moves: z.number(),
  current_player: z.string().nullable(),
  result: z.string().nullable(),
  deadline_ms: z.number().nullable(),
  version: z.number(),
  spectators: z.number(),
  seats: z.array(
    z.object({
      seat: z.string(),
      kind: z.string(),
      name: z.string().nullable(),
      brain: z.string().nullable(),
      taken: z.boolean(),
      connected: z.boolean(),
    }),
  ),
});
type Row = z.infer<typeof rowSchema>;

const stateSchema = z.object({
  scoring: z.object({ scores: z.record(z.string(), z.number()) }),
  data: z.object({ history: z.array(z.string()) }),
});

export function adminCommand(): Command {
  const admin = new Command("admin")
    .description("the matches that a running server holds: list, look at, close; a copy of its data")
    .addHelpText("after", HELP);
  const sub = (name: string, description: string) =>
    admin
      .command(name)
      .description(description)
      .option("--address <url>", "where the server's own port answers; left out: what DATA_DIR says")
      .option("--json", "one JSON object instead of text")
      .addHelpText("after", HELP)
      .showHelpAfterError("(add --help for what is possible)")
      .exitOverride();
  sub("list", "the matches and waiting rooms that this process holds").action(list);
  sub("inspect", "one match, as a spectator sees it").argument("<match>", "match id or room code").action(inspect);
  sub("close", "end a match as ABANDONED, or close a waiting room")
    .argument("<match>", "match id or room code")
    .action(close);
  admin
    .command("backup")
    .description("copy DATA_DIR while the server runs: all that was acknowledged before is in the copy")
    .argument("<folder>", "where to; empty, or not there yet")
    .option("--json", "one JSON object instead of text")
    .addHelpText("after", BACKUP_HELP)
    .showHelpAfterError("(add --help for what is possible)")
    .exitOverride()
    .action(backup);
  return admin;
}

/** Copies the folder of the settings; no server is asked. */
async function backup(folder: string, { json }: { readonly json?: boolean }): Promise<void> {
  const [{ readConfig }, { copyData }] = await Promise.all([
    import("../server/config.ts"),
    import("../server/store/backup.ts"),
  ]);
  const { DATA_DIR, REDIS_URL } = readConfig(process.env);
  if (REDIS_URL !== undefined)
    throw new Error("with REDIS_URL all matches lie in Redis: back that up by its own means");
  const { files, bytes } = await copyData(DATA_DIR, folder);
  say(json ? JSON.stringify({ ok: true, folder, files, bytes }) : `${files} files, ${bytes} bytes are in ${folder}.`);
}

async function list(options: AdminOptions): Promise<void> {
  const answer = await ask("GET", "/admin/matches", options);
  const { matches } = z.object({ matches: z.array(rowSchema) }).parse(answer);
  if (options.json) return say(JSON.stringify(answer));
  if (matches.length === 0) return say("No match is held here.");
  say(table(matches.map(cells)));
}

async function inspect(match: string, options: AdminOptions): Promise<void> {
  const answer = await ask("GET", `/admin/matches/${encodeURIComponent(match)}`, options);
  if (options.json) return say(JSON.stringify(answer));
  const { match: row, state } = z.object({ match: rowSchema, state: stateSchema }).parse(answer);
  say(table([cells(row)]));
  for (const { seat, name, kind, brain, taken, connected } of row.seats) {
    const there = taken ? (connected ? "connected" : "not connected") : "free";
    const score = state.scoring.scores[seat] ?? 0;
    say(
      `${seat}  ${shown(name ?? "-")}  ${kind}${brain === null ? "" : ` (${shown(brain)})`}  ${there}  score ${score}`,
    );
  }
  for (const line of state.data.history.slice(-10)) say(`  ${shown(line)}`);
}

async function close(match: string, options: AdminOptions): Promise<void> {
  const answer = await ask("POST", `/admin/matches/${encodeURIComponent(match)}/close`, options);
  if (options.json) return say(JSON.stringify(answer));
  const { match_id, code, result } = z
    .object({ match_id: z.string(), code: z.string(), result: z.string().nullable() })
    .parse(answer);
  say(result === null ? `The room ${code} is closed (${match_id}).` : `${code} is ${result} (${match_id}).`);
}

/** The answer of the server's own port. Throws with its code and sentence when it refuses, or nobody answers. */
async function ask(method: "GET" | "POST", path: string, options: AdminOptions): Promise<unknown> {
  const [{ readConfig }, { readAdmin }] = await Promise.all([
    import("../server/config.ts"),
    import("../server/ops/adminToken.ts"),
  ]);
  const { DATA_DIR, OPS_PORT } = readConfig(process.env);
  const { token, address } = readAdmin(DATA_DIR);
  if (token === null) throw new Error(`${DATA_DIR} holds no admin token: no server has run on it (set DATA_DIR)`);
  const at = options.address ?? address ?? (OPS_PORT ? `http://127.0.0.1:${OPS_PORT}` : null);
  if (at === null) throw new Error(`${DATA_DIR} tells no address: no server runs on it now (or name it: --address)`);
  if (!URL.canParse(path, at)) throw new Error(`${at} is no address`);
  let answer: Response;
  try {
    answer = await fetch(new URL(path, at), {
      method,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch {
    throw new Error(`no server answers at ${at}`);
  }
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  const refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).safeParse(body);
  if (!refused.success) throw new Error(`${at} is no Gearmice server (it answers ${answer.status})`);
  throw new Error(`${refused.data.error.code}: ${refused.data.error.message}`);
}

const HEAD = ["code", "match", "format", "kind", "phase", "turn", "mover", "left", "seats", "spectators", "version"];

function cells(row: Row): string[] {
  const leftMs = row.deadline_ms === null ? null : row.deadline_ms - Date.now();
  const taken = row.seats.filter((seat) => seat.taken).length;
  return [
    row.code,
    row.match_id,
    `${row.format} ${row.level}`,
    row.private ? `${row.kind}, private` : row.kind,
    row.result ?? row.phase,
    `${row.turn}/${row.max_moves}`,
    row.current_player ?? "-",
    leftMs === null ? "-" : `${Math.ceil(leftMs / 1_000)} s`,
    `${taken}/${row.seats.length}`,
    String(row.spectators),
    String(row.version),
  ];
}

function table(rows: readonly string[][]): string {
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** What players wrote, without what a terminal would obey. */
function shown(text: string): string {
  return text.replace(/\p{C}/gu, "\u{FFFD}");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
