/** `gearmice engine`: the rules as a process, JSON lines in, JSON lines out (PROTOCOL 9). */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { Command } from "commander";
import { type Line, LineSplitter } from "./engine/lines.ts";
import { MAX_LINE_BYTES } from "./engine/requests.ts";
import { refusal, Session } from "./engine/session.ts";

const HELP = `
One request a line, one answer a line:
  new {format, level, seed, invalid?, orb?, entropy?}   play {match, player, command, turn?, reply?}
  legal {match}    state {match}    clone {match, seed?}    undo {match}    close {match}
  expire {match, player}    resign {match, player}    abandon {match}    batch {requests:[...]}
Where a state is answered, "reply":"brief" answers a few numbers instead. A line holds at most ${MAX_LINE_BYTES} bytes.
A copy made with a seed draws from that seed and begins its own undo.

Examples:
  $ echo '{"id":1,"op":"new","format":"solo","level":1,"seed":"5f3bedef890f10583eb6bfc54e50c924"}' | gearmice engine
  $ gearmice engine < requests.jsonl > answers.jsonl`;

/** Answers are gathered up to this many UTF-16 units before they are written. */
const GATHER = 64 * 1024;

export function engineCommand(): Command {
  return new Command("engine")
    .description("the rules as a process: JSON lines on stdin and stdout, no server")
    .addHelpText("after", HELP)
    .action(() => runEngine(process.stdin, process.stdout));
}

/** Answers every line of `input` on `output`, in order; ends when the input ends or nobody reads the output. */
export async function runEngine(input: Readable, output: Writable): Promise<void> {
  const session = new Session();
  const lines = new LineSplitter(MAX_LINE_BYTES);
  const gone = new AbortController();
  output.on("error", () => gone.abort());
  output.on("close", () => gone.abort());

  const write = async (text: string) => {
    if (text === "" || gone.signal.aborted) return;
    // The input is not read on until the reader of the answers has caught up.
    if (!output.write(text)) await once(output, "drain", { signal: gone.signal }).catch(() => undefined);
  };
  const work = async (batch: Iterable<Line>) => {
    let answers = "";
    for (const line of batch) {
      answers += `${answer(session, line)}\n`;
      if (answers.length < GATHER) continue;
      await write(answers);
      answers = "";
      if (gone.signal.aborted) return;
    }
    await write(answers);
  };

  for await (const chunk of input) {
    await work(lines.push(chunk as Buffer));
    if (gone.signal.aborted) return;
  }
  await work(lines.end());
}

function answer(session: Session, line: Line): string {
  if ("text" in line) return session.answerLine(line.text);
  return refusal(null, "line_too_long", `a line holds at most ${MAX_LINE_BYTES} bytes`);
}
