/** The level editor: a map is drawn, checked against the rules, handed on as text or link, and played. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { LEVELS, levelOf, PLAYERS_OF } from "../../shared/engine/levels.ts";
import { FORMATS, type Format, GEAR_TYPES, type TileLabel } from "../../shared/engine/types.ts";
import type { BoardModel } from "../board/model.ts";
import type { BoardFeed } from "../board/view.ts";
import { say } from "../dom/announce.ts";
import { Board } from "../dom/board.tsx";
import { GearIcon, Icon } from "../ui/icons.tsx";
import { FORMAT_NAMES, plural } from "../ui/words.ts";
import { checkMap, emptyMap, evenStock, freeTiles, type GameMap, makeMap, parseMap, SIDES, toggled } from "./map.ts";
import { mapModel } from "./mapModel.ts";

interface EditorProps {
  first: GameMap;
  onPlay: (map: GameMap) => void;
  onClose: () => void;
}

export function EditorScreen({ first, onPlay, onClose }: EditorProps) {
  const [map, setMap] = useState(first);
  const board = useMemo(() => mapModel(map), [map]);
  const feed = useFeed(board);
  const problems = useMemo(() => checkMap(map), [map]);
  const fatal = problems.some((p) => p.fatal);
  const all = useMemo(() => new Set<TileLabel>(board.tiles.keys()), [board]);
  const [height, width] = [map.rows.length, map.rows[0]?.length ?? 0];

  const pick = (tile: TileLabel) => {
    const at = board.tiles.get(tile);
    if (!at) return;
    setMap(toggled(map, at.x, at.y));
    say(`${tile} is ${at.obstacle ? "free" : "an obstacle"}`);
  };
  return (
    <main class="match-main editor" data-map={makeMap(map)}>
      <h1 class="sr-only">Level editor</h1>
      <div class="side left tab-players shown">
        <MapSettings map={map} onMap={setMap} />
      </div>
      <div class="centre">
        <div class="banner">
          <span class="banner-who">Tap a tile to put up or take away an obstacle</span>
          <span class="banner-turns">{plural(freeTiles(map.rows), "free tile")}</span>
        </div>
        <Board
          key={`${map.format} ${width} ${height}`}
          feed={feed}
          board={board}
          me={null}
          legal={all}
          chosen={null}
          premove={null}
          premoveTo={null}
          ghost={null}
          preview={null}
          plain
          onPick={pick}
          onHover={() => undefined}
          onKey={() => false}
          onBusy={() => undefined}
          onEvent={() => undefined}
        />
      </div>
      <div class="side right">
        <section class="panel checks" aria-label="Check">
          <h2>{fatal ? "Not yet a level" : "A level by the rules"}</h2>
          {problems.length === 0 && <p class="note">Every mouse can come in and go home, and all gears fit.</p>}
          <ul>
            {problems.map(({ code, fatal: stops, message }) => (
              <li key={message} class={stops ? "problem" : "warning"} data-problem={code}>
                <Icon name="warn" size={16} /> {message}
              </li>
            ))}
          </ul>
          <button type="button" class="button primary" disabled={fatal} onClick={() => onPlay(map)}>
            <Icon name="play" size={18} /> Play it here
          </button>
          <button type="button" class="button quiet" onClick={onClose}>
            Back to the analysis board
          </button>
        </section>
        <MapText map={map} onMap={setMap} />
      </div>
    </main>
  );
}

/** What a board on the page listens to: the newest model, shown at once. */
function useFeed(board: BoardModel): BoardFeed {
  const now = useRef(board);
  const listeners = useRef(new Set<Parameters<BoardFeed["onChange"]>[0]>());
  useEffect(() => {
    now.current = board;
    for (const listener of listeners.current) listener(board, null);
  }, [board]);
  return useMemo(
    () => ({
      current: () => now.current,
      onChange(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [],
  );
}

const SIZES = Array.from({ length: SIDES.most - SIDES.least + 1 }, (_, i) => SIDES.least + i);

interface PartProps {
  map: GameMap;
  onMap: (map: GameMap) => void;
}

function MapSettings({ map, onMap }: PartProps) {
  const { format, rows, stock } = map;
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const players = PLAYERS_OF[format];
  const free = freeTiles(rows);
  const resize = (kind: Format, w: number, h: number) => {
    // With four players a board is square (R3.3).
    const side = PLAYERS_OF[kind].length === 4 ? Math.max(w, h) : null;
    onMap(emptyMap(kind, side ?? w, side ?? h));
  };
  const size = (name: string, value: number, set: (n: number) => void) => (
    <label class="field">
      {name}
      <select value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
        {SIZES.map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  );
  const count = (name: string, value: number, set: (n: number) => void) => (
    <label class="field">
      {name}
      <input
        type="number"
        min={0}
        inputMode="numeric"
        value={value}
        onInput={(event) => set(Math.max(0, Math.floor(Number(event.currentTarget.value) || 0)))}
      />
    </label>
  );
  const open = (value: string) => {
    const level = levelOf(format, Number(value));
    if (level === null) return;
    const { G1, G2, G3, G4 } = level.stock;
    const { maxMoves, idealMoves } = level;
    onMap({ format, rows: level.map, stock: [G1, G2, G3, G4], maxMoves, idealMoves: idealMoves ?? maxMoves });
  };
  const square = players.length === 4;
  return (
    <section class="panel sources map-settings" aria-label="Map">
      <h2>Map</h2>
      <label class="field">
        Format
        <select value={format} onChange={(event) => resize(event.currentTarget.value as Format, width, height)}>
          {FORMATS.map((f) => (
            <option key={f} value={f}>
              {FORMAT_NAMES[f]}
            </option>
          ))}
        </select>
      </label>
      <div class="field-pair">
        {size(square ? "Side" : "Columns", width, (n) => resize(format, n, square ? n : height))}
        {!square && size("Rows", height, (n) => resize(format, width, n))}
      </div>
      <label class="field">
        Begin from
        <select value="" onChange={(event) => open(event.currentTarget.value)}>
          <option value="">an empty board</option>
          {LEVELS[format].map((n) => (
            <option key={n} value={n}>
              level {n}: {levelOf(format, n)?.dimensions.replace("x", "×")}
            </option>
          ))}
        </select>
      </label>
      {format === "solo" ? (
        <>
          <fieldset class="stock-fields">
            <legend>
              Stock{" "}
              <small>
                {stock.reduce((sum, n) => sum + n, 0)} of {free}
              </small>
            </legend>
            {GEAR_TYPES.map((type, i) => (
              <label key={type} class="field">
                <span>
                  <GearIcon type={type} size={26} /> {type}
                </span>
                <input
                  type="number"
                  min={0}
                  inputMode="numeric"
                  value={stock[i]}
                  onInput={(event) => {
                    const n = Math.max(0, Math.floor(Number(event.currentTarget.value) || 0));
                    const [g1, g2, g3, g4] = stock.map((old, k) => (k === i ? n : old));
                    onMap({ ...map, stock: [g1 ?? 0, g2 ?? 0, g3 ?? 0, g4 ?? 0] });
                  }}
                />
              </label>
            ))}
          </fieldset>
          <button type="button" class="button small" onClick={() => onMap({ ...map, stock: evenStock(free) })}>
            Fill the stock evenly
          </button>
          <div class="field-pair">
            {count("Most moves", map.maxMoves, (maxMoves) => onMap({ ...map, maxMoves }))}
            {count("Ideal", map.idealMoves, (idealMoves) => onMap({ ...map, idealMoves }))}
          </div>
        </>
      ) : (
        <p class="note">
          Everybody gets {Math.floor(free / players.length)} gears; the match has {1.5 * free * players.length} turns.
        </p>
      )}
    </section>
  );
}

function MapText({ map, onMap }: PartProps) {
  const text = makeMap(map);
  const [given, setGiven] = useState("");
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(null);
  const link = `${location.origin}/analysis#map=${text}`;
  const copy = async (what: string, value: string) => {
    try {
      await navigator.clipboard.writeText(value);
      setSaid({ ok: true, text: `${what} copied.` });
    } catch {
      setGiven(value);
      setSaid({ ok: true, text: `${what} stands in the field.` });
    }
  };
  const open = (event: Event) => {
    event.preventDefault();
    const read = parseMap(given.includes("#map=") ? (given.split("#map=")[1] ?? "") : given);
    if (read) onMap(read);
    setSaid(
      read ? { ok: true, text: "Opened." } : { ok: false, text: "This is no map: rows of 1 and 0, or a map's text." },
    );
  };
  return (
    <section class="panel sources" aria-label="Map as text">
      <h2>Keep and share</h2>
      <form onSubmit={open}>
        <label for="map-text">A map: its text, a link, or rows like 111 101 111, the lowest first</label>
        <textarea
          id="map-text"
          rows={2}
          spellcheck={false}
          value={given}
          placeholder={text}
          onInput={(event) => setGiven(event.currentTarget.value)}
          aria-describedby="map-said"
        />
        <div class="source-row">
          <button type="submit" class="button small">
            Open
          </button>
          <button type="button" class="button small" onClick={() => copy("The map", text)}>
            <Icon name="copy" size={16} /> Copy
          </button>
          <button type="button" class="button small" onClick={() => copy("The link", link)}>
            <Icon name="link" size={16} /> Link
          </button>
          <a
            class="button small"
            download={`gearmice-${map.format}-${map.rows[0]?.length}x${map.rows.length}.txt`}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          >
            Download
          </a>
        </div>
      </form>
      <p id="map-said" class={said && !said.ok ? "problem" : "note"} role="status">
        {said?.text ?? ""}
      </p>
    </section>
  );
}
