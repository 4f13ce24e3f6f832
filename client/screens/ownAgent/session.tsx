/** A Lab or Benchmark session, made here; its agent is started with the line that comes of it. */
import { useState } from "preact/hooks";
import { LEVELS, levelOf } from "../../../shared/engine/levels.ts";
import { FORMATS, type Format } from "../../../shared/engine/types.ts";
import { SESSION_MODES } from "../../../shared/protocol/modes.ts";
import { makeSession } from "../../net/api.ts";
import { FORMAT_NAMES } from "../../ui/words.ts";
import { Copyable } from "./copyable.tsx";

type Mode = (typeof SESSION_MODES)[number];
const MODE_NAMES: Readonly<Record<Mode, string>> = {
  benchmark: "Benchmark: fixed rules, official board",
  lab: "Lab: private, everything allowed",
};

export function SessionForm() {
  const [mode, setMode] = useState<Mode>("benchmark");
  const [format, setFormat] = useState<Format>("solo");
  const [level, setLevel] = useState(1);
  const [made, setMade] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblem(null);
    try {
      const { command } = await makeSession({ mode, format, level });
      setMade(`${command} --agent-script ~/gearmice/agents/agent.ts`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="panel custom session" onSubmit={(event) => void submit(event)} aria-label="Session">
      <div class="fields">
        <label>
          Mode
          <select name="mode" value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {SESSION_MODES.map((one) => (
              <option key={one} value={one}>
                {MODE_NAMES[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Format
          <select
            name="format"
            value={format}
            onChange={(event) => {
              setFormat(event.currentTarget.value as Format);
              setLevel(1);
            }}
          >
            {FORMATS.map((one) => (
              <option key={one} value={one}>
                {FORMAT_NAMES[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Level
          <select name="level" value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
            {LEVELS[format].map((n) => (
              <option key={n} value={n}>
                {n} ({levelOf(format, n)?.dimensions.replace("x", "×")})
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" class="button primary">
        Make a session
      </button>
      <div role="status">
        {problem !== null && <p class="problem">{problem}</p>}
        {made !== null && problem === null && (
          <Copyable title="Start your agent" caption="Once, within a day" text={made} />
        )}
      </div>
    </form>
  );
}
