/** `gearmice play`: one Solo match with an agent of one's own. */
import { Command, Option } from "commander";
import { SESSION_MODES, type SessionMode } from "../shared/protocol/modes.ts";
import { type AgentOptions, agentOptions, number, type ServerOptions, serverOptions } from "./player/options.ts";

const HELP = `
Without --mode the match is casual. --mode benchmark makes a session and plays by the fixed rules for the official board:
no legal list, a refused command loses the turn. --mode lab is private and lets prompts and strategies in.

Exit codes: 0 played to the end, 1 failed, 2 a wrong call.

Examples:
  $ gearmice play --brain greedy
  $ gearmice play --level 2 --agent-script ~/gearmice/agents/agent.ts
  $ gearmice play --mode benchmark --agent-loop ~/gearmice/agents/agent.py --json`;

type PlayOptions = AgentOptions &
  ServerOptions & { readonly level: number; readonly mode?: SessionMode; readonly session?: string };

export function playCommand(): Command {
  const command = new Command("play")
    .description("one Solo match with an agent of your own")
    .option("--level <n>", "the level, 1 and up", number, 1)
    .addOption(new Option("--mode <mode>", "for the official board, or to try things").choices(SESSION_MODES))
    .option("--session <id>", "a session that the page or POST /sessions made");
  return serverOptions(agentOptions(command)).addHelpText("after", HELP).action(play);
}

async function play(options: PlayOptions): Promise<void> {
  const { level, mode, session, json = false } = options;
  const [
    { openFolder },
    { openAgent },
    { openPlayer },
    { createRoom },
    { playMatch, printReport, reportOf, screenOf },
  ] = await Promise.all([
    import("./player/folder.ts"),
    import("./player/agent.ts"),
    import("./player/session.ts"),
    import("./player/room.ts"),
    import("./player/match.ts"),
  ]);
  const screen = screenOf(json, "P1");
  const folder = await openFolder(process.env, options.server);
  const agent = await openAgent(options, folder, (text) => screen.note(text));
  try {
    const player = await openPlayer(folder, options.name, json ? undefined : (text) => screen.note(text));
    const seated = await createRoom(player, {
      ...{ format: "solo", level, mode, session, model: agent.model },
      promptHash: agent.promptHash?.("solo", mode ?? "casual"),
    });
    const state = await playMatch(player, seated, agent, screen);
    printReport(reportOf(player, state, seated.seat), json);
  } finally {
    agent.close();
  }
}
