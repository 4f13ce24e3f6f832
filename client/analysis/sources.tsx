/** Where a position comes from and goes to: a level, text, a file; copied as text or as the board's encoding (R13). */
import { useState } from "preact/hooks";
import { board } from "../../shared/engine/index.ts";
import { LEVELS, levelOf } from "../../shared/engine/levels.ts";
import { FORMATS, type Format } from "../../shared/engine/types.ts";
import { parseMap } from "../editor/map.ts";
import type { LocalSetup } from "../store/localMatch.ts";
import { Icon } from "../ui/icons.tsx";
import { FORMAT_NAMES } from "../ui/words.ts";
import { type Loaded, positionText } from "./load.ts";
import { nodeAt } from "./tree.ts";

interface SourcesProps {
  loaded: Loaded;
  /** Why the match that was asked for could not be had. */
  problem: string | null;
  onLoad: (text: string) => void;
  onCommands: (text: string) => void;
  onLevel: (setup: LocalSetup) => void;
  /** Opens the level editor. */
  onEdit: () => void;
}

/** A record of the longest match, with room. */
const MAX_BYTES = 20_000_000;

export function Sources({ loaded, problem, onLoad, onCommands, onLevel, onEdit }: SourcesProps) {
  const { tree, map } = loaded;
  const { match } = nodeAt(tree);
  const [text, setText] = useState("");
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(
    problem === null ? null : { ok: false, text: problem },
  );
  const tell = (act: () => void, done: string) => {
    try {
      act();
      setSaid({ ok: true, text: done });
    } catch (error) {
      setSaid({ ok: false, text: error instanceof Error ? error.message : String(error) });
    }
  };
  const copy = async (what: string, value: string) => {
    try {
      await navigator.clipboard.writeText(value);
      setSaid({ ok: true, text: `${what} copied.` });
    } catch {
      setText(value);
      setSaid({ ok: true, text: `${what} stands in the field.` });
    }
  };
  const open = (event: Event) => {
    event.preventDefault();
    const given = text.trim();
    if (given.startsWith("{") || parseMap(given.split("\n")[0] ?? "") !== null) tell(() => onLoad(given), "Loaded.");
    else if (given !== "") tell(() => onCommands(given), "Played.");
  };
  const file = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES) setSaid({ ok: false, text: "This file is too large to be a record." });
    else {
      const read = await chosen.text();
      tell(() => onLoad(read), `${chosen.name} loaded.`);
    }
  };
  const setup = (format: Format, level: number) => onLevel({ format, level: levelOf(format, level) ? level : 1 });
  return (
    <section class="panel sources" aria-label="Position">
      <h2>Position</h2>
      <div class="source-level">
        <select
          aria-label="Format"
          value={match.format}
          onChange={(event) => setup(event.currentTarget.value as Format, 1)}
        >
          {FORMATS.map((f) => (
            <option key={f} value={f}>
              {FORMAT_NAMES[f]}
            </option>
          ))}
        </select>
        <select
          aria-label="Level"
          value={map ? "" : match.level}
          onChange={(event) => setup(match.format, Number(event.currentTarget.value))}
        >
          {map && <option value="">your map</option>}
          {LEVELS[match.format].map((n) => (
            <option key={n} value={n}>
              {n}: {levelOf(match.format, n)?.dimensions.replace("x", "×")}
            </option>
          ))}
        </select>
      </div>
      <button type="button" class="button small" onClick={onEdit}>
        <Icon name="pencil" size={16} /> {map ? "Edit this map" : "Level editor"}
      </button>
      <form onSubmit={open}>
        <label for="position-text">A position, a record, a map, or commands, one a line</label>
        <textarea
          id="position-text"
          rows={3}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          aria-describedby="position-said"
        />
        <div class="source-row">
          <button type="submit" class="button small">
            Open
          </button>
          <label class="button small file">
            Record file
            <input
              type="file"
              accept=".jsonl,.json,application/x-ndjson"
              onChange={(event) => void file(event.currentTarget.files?.[0])}
            />
          </label>
        </div>
      </form>
      <div class="source-row">
        <button type="button" class="button small" onClick={() => copy("The position", positionText(loaded))}>
          <Icon name="copy" size={16} /> Copy position
        </button>
        <button type="button" class="button small" onClick={() => copy("The board", board(match).join(" "))}>
          <Icon name="copy" size={16} /> Copy board
        </button>
      </div>
      <p id="position-said" class={said && !said.ok ? "problem" : "note"} role="status">
        {said?.text ?? ""}
      </p>
    </section>
  );
}
