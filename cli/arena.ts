/** `gearmice arena`: duels and larger matches against others. */
import { Command, Option } from "commander";
import { SESSION_MODES, type SessionMode } from "../shared/protocol/modes.ts";
import {
  type AgentOptions,
  agentOptions,
  lookOptions,
  number,
  type ServerOptions,
  serverOptions,
} from "./player/options.ts";

const EXIT_CODES = "Exit codes: 0 played or watched to the end, 1 failed, 2 a wrong call.";
const CREATE = [
  "gearmice arena create --format 1v1 --brain expert",
  "gearmice arena create --format 1v1 --opponent greedy --agent-script ~/gearmice/agents/agent.ts",
  "gearmice arena create --format 2v2 --level 2 --model llama3.2",
];
const JOIN = ["gearmice arena join IXENT-K7M2QP --agent-loop ~/gearmice/agents/agent.py"];
const WATCH = ["gearmice arena watch IXENT-K7M2QP", "gearmice arena watch IXENT-K7M2QP --json > lines.jsonl"];
const LIST = ["gearmice arena list", "gearmice arena list --json"];

/** What stands below the options. */
function help(about: string, examples: readonly string[]): string {
  const lines = examples.map((line) => `  $ ${line}`).join("\n");
  return `\n${about === "" ? "" : `${about}\n\n`}${EXIT_CODES}\n\nExamples:\n${lines}`;
}

const CREATED = "The room's code is told at once; the match begins when every seat is taken.";

const FORMATS = ["1v1", "2v2", "ffa4"] as const;
type ArenaFormat = (typeof FORMATS)[number];
const SEATS: Readonly<Record<ArenaFormat, number>> = { "1v1": 2, "2v2": 4, ffa4: 4 };

type CreateOptions = AgentOptions &
  ServerOptions & {
    readonly format: ArenaFormat;
    readonly level: number;
    readonly opponent?: string;
    readonly human?: boolean;
    readonly mode?: SessionMode;
    readonly session?: string;
    readonly roomCode?: string;
  };

export function arenaCommand(): Command {
  const arena = new Command("arena")
    .description("matches against others")
    .addHelpText("after", help("", [...CREATE, ...JOIN, ...WATCH, ...LIST]));
  const create = arena
    .command("create")
    .description("open a room, take a seat and play")
    .addOption(new Option("--format <format>", "the format").choices(FORMATS).default("1v1"))
    .option("--level <n>", "the level, 1 to 4", number, 1)
    .option("--opponent <brain>", "let the house take the other seats, with this brain: random, greedy, expert")
    .option("--human", "keep the other seats for people")
    .addOption(new Option("--mode <mode>", "for the official board, or to try things").choices(SESSION_MODES))
    .option("--session <id>", "a session that the page or POST /sessions made")
    .option("--room-code <code>", "a code that POST /codes has handed out");
  serverOptions(agentOptions(create)).addHelpText("after", help(CREATED, CREATE)).action(createArena);
  const join = arena.command("join <code>").description("take a seat in a room and play");
  serverOptions(agentOptions(join)).addHelpText("after", help("", JOIN)).action(joinArena);
  const watch = arena.command("watch <code>").description("follow a match to its end");
  lookOptions(watch, "each line of the match's stream as it is, instead of the board")
    .addHelpText("after", help("", WATCH))
    .action(watchArena);
  const list = arena.command("list").description("rooms that are open or being played");
  lookOptions(list, "one JSON array on standard output").addHelpText("after", help("", LIST)).action(listArena);
  return arena;
}

async function createArena(options: CreateOptions): Promise<void> {
  const { format, level, opponent, human = false, mode, session, roomCode } = options;
  const { createRoom, kindOf } = await import("./player/room.ts");
  const other = opponent !== undefined ? { kind: "ai", brain: opponent } : { kind: human ? "human" : "any" };
  await playIn(options, (player, { model, promptHash }, tell) =>
    createRoom(player, {
      ...{ format, level, mode, session, roomCode, model },
      promptHash: promptHash?.(format, mode ?? "casual"),
      seats: [{ kind: kindOf(model) }, ...Array.from({ length: SEATS[format] - 1 }, () => other)],
    }).then((seated) => {
      tell(`room ${seated.code}`);
      return seated;
    }),
  );
}

async function joinArena(code: string, options: AgentOptions & ServerOptions): Promise<void> {
  const { joinRoom } = await import("./player/room.ts");
  await playIn(options, (player, { model }) => joinRoom(player, code, model));
}

type Player = import("./player/session.ts").Player;
type Agent = import("./player/agent.ts").Agent;
type Seated = import("./player/match.ts").Seated;

async function playIn(
  options: AgentOptions & ServerOptions,
  sit: (player: Player, agent: Agent, tell: (text: string) => void) => Promise<Seated>,
): Promise<void> {
  const { json = false } = options;
  const [{ openFolder }, { openAgent }, { openPlayer }, { playMatch, printReport, reportOf, screenOf }] =
    await Promise.all([
      import("./player/folder.ts"),
      import("./player/agent.ts"),
      import("./player/session.ts"),
      import("./player/match.ts"),
    ]);
  const line = (text: string) => void process.stderr.write(`${text}\n`);
  let note: (text: string) => void = () => {};
  let tell: typeof note = line;
  const folder = await openFolder(process.env, options.server);
  const agent = await openAgent(options, folder, (text) => note(text));
  try {
    const player = await openPlayer(folder, options.name, (text) => tell(text));
    // The code is wanted by whoever reads: also where the result alone goes to standard output.
    const seated = await sit(player, agent, line);
    const screen = screenOf(json, seated.seat);
    note = (text) => screen.note(text);
    if (!json) tell = note;
    const state = await playMatch(player, seated, agent, screen);
    printReport(reportOf(player, state, seated.seat), json);
  } finally {
    agent.close();
  }
}

async function watchArena(code: string, options: ServerOptions): Promise<void> {
  const { watchMatch } = await import("./player/watch.ts");
  await watchMatch(code, options);
}

async function listArena(options: ServerOptions): Promise<void> {
  const { listRooms } = await import("./player/watch.ts");
  await listRooms(options);
}
