/** Scripts as agents (PROTOCOL 11), as real processes. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Choice } from "../brains/brain.ts";
import { loopBrain } from "./loop.ts";
import { scriptBrain } from "./oneShot.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-script-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const STATE = { meta: { turn: 3 } } as NativeState;
const ROOM = { remainingMs: 60_000 };

async function script(name: string, text: string): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}
const ask = (file: string, clock = ROOM, notes: string[] = []): Promise<Choice> =>
  Promise.resolve(scriptBrain(file, (text) => notes.push(text)).choose(STATE, "P1", clock));

const READ = `const state = JSON.parse(require("node:fs").readFileSync(0, "utf8"));`;
const ANSWER = `process.stdout.write(JSON.stringify({command: "G1@P11(b=" + state.meta.turn + ")+90", reasoning: "so"}))`;

describe("a process a turn", () => {
  test.each<[name: string, file: string, text: string]>([
    ["JavaScript", "a.cjs", `${READ}${ANSWER}`],
    [
      "TypeScript",
      "a.ts",
      `import fs from "node:fs"; const state: any = JSON.parse(fs.readFileSync(0, "utf8")); ${ANSWER}`,
    ],
    ["a program of its own", "a.sh", `#!/bin/sh\nread line\necho '{"command":"G1@P11(b=3)+90","reasoning":"so"}'`],
    ["one that does not read", "b.sh", `#!/bin/sh\necho '{"command":"G1@P11(b=3)+90","reasoning":"so"}'`],
    ["blank lines around", "c.sh", `#!/bin/sh\necho; echo ' {"command":"G1@P11(b=3)+90","reasoning":"so"}'; echo`],
  ])("%s", async (_name, file, text) => {
    expect(await ask(await script(file, text))).toEqual({ command: "G1@P11(b=3)+90", reasoning: "so" });
  });

  test("tokens are passed on; what stands on standard error is a note", async () => {
    const notes: string[] = [];
    const file = await script(
      "usage.sh",
      `#!/bin/sh\necho thinking >&2; echo '{"command":"x","token_usage":{"total":7,"thinking":2}}'`,
    );
    expect(await ask(file, ROOM, notes)).toEqual({ command: "x", usage: { total: 7, thinking: 2 } });
    expect(notes.join("")).toBe("thinking\n");
  });

  test.each<[name: string, text: string, reason: RegExp]>([
    ["no JSON", "#!/bin/sh\necho G1@P11+90", /one JSON object: G1@P11/],
    ["nothing", "#!/bin/sh\nexit 0", /nothing/],
    ["two objects", `#!/bin/sh\necho '{"command":"a"}'; echo '{"command":"b"}'`, /one JSON object/],
    ["no command", `#!/bin/sh\necho '{"move":"a"}'`, /has no "command"/],
    ["a failure, though it answered", `#!/bin/sh\necho '{"command":"a"}'; exit 3`, /ended with 3/],
    ["killed", "#!/bin/sh\nkill -9 $$", /ended with SIGKILL/],
    ["endless output", "#!/bin/sh\nyes", /1 MiB/],
    ["longer than the clock", "#!/bin/sh\nexec sleep 60", /longer than/],
  ])("%s is a failure", async (_name, text, reason) => {
    await expect(ask(await script("bad.sh", text), { remainingMs: 1_500 })).rejects.toThrow(reason);
  });

  test("a file that cannot be run", async () => {
    const file = join(dir, "plain.txt");
    await writeFile(file, "hello");
    await expect(ask(file)).rejects.toThrow(/cannot be run/);
  });
});

describe("a process for the match", () => {
  const COUNTING = `
    let n = 0;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      n += 1;
      const { meta } = JSON.parse(line);
      if (meta.turn === 99) process.exit(1);
      if (meta.turn === 98) return;
      console.log(JSON.stringify({ command: n + " of " + process.pid }));
    });`;
  const at = (turn: number) => ({ meta: { turn } }) as NativeState;

  test("started once, one answer a line; started again after it died or was too slow", async () => {
    const brain = loopBrain(await script("loop.cjs", COUNTING), () => {}, 1_000);
    const choose = async (turn: number) => (await brain.choose(at(turn), "P1", ROOM)).command.split(" of ");
    const [first, pid] = await choose(0);
    expect([first, await choose(1)]).toEqual(["1", ["2", pid]]);
    await expect(choose(99)).rejects.toThrow(/ended with 1/);
    const [again, second] = await choose(2);
    expect([again, second === pid]).toEqual(["1", false]);
    await expect(choose(98)).rejects.toThrow(/longer than 1 s/);
    const [third, last] = await choose(3);
    expect([third, last === second]).toEqual(["1", false]);
    brain.close();
  });

  test("a program that is not there", async () => {
    const brain = loopBrain(join(dir, "absent"), () => {});
    await expect(Promise.resolve(brain.choose(STATE, "P1", ROOM))).rejects.toThrow(/cannot be run/);
    brain.close();
  });
});
