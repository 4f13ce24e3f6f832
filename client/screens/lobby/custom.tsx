/** A room of one's own: every format, every level, any mix of seats. */
import { useEffect, useState } from "preact/hooks";
import { LEVELS, levelOf, teamOf } from "../../../shared/engine/levels.ts";
import { FORMATS, type Format, type PlayerId } from "../../../shared/engine/types.ts";
import type { CreateRoomRequest } from "../../../shared/protocol/requests.ts";
import { type Brains, listBrains } from "../../net/api.ts";
import { Mark } from "../../ui/icons.tsx";
import { FORMAT_NAMES, FORMAT_PLAYERS } from "../../ui/words.ts";

/** Who shall sit there: a person, a program from outside, or a brain of the house by its name. */
interface SeatWish {
  readonly kind: "person" | "program" | "house";
  readonly brain: string;
  /** The manner in which a brain plays; empty: its own. */
  readonly style: string;
}

const PERSON: SeatWish = { kind: "person", brain: "", style: "" };
const GREEDY: SeatWish = { kind: "house", brain: "greedy", style: "" };

/** Until the server has said what it has. */
const USUAL: Brains = {
  brains: ["random", "greedy", "expert"].map((name) => ({ name, model: null })),
  styles: [],
};

const CLOCKS: readonly { value: number | null; text: string }[] = [
  { value: 60, text: "1 minute a turn" },
  { value: 180, text: "3 minutes a turn" },
  { value: 600, text: "10 minutes a turn" },
  { value: 86_400, text: "1 day a turn" },
  { value: null, text: "No clock" },
];

export function CustomRoom({ opening, onOpen }: { opening: boolean; onOpen: (request: CreateRoomRequest) => void }) {
  const [format, setFormat] = useState<Format>("1v1");
  const [level, setLevel] = useState(1);
  const [seats, setSeats] = useState<readonly SeatWish[]>([PERSON, GREEDY, GREEDY, GREEDY]);
  const [clock, setClock] = useState<number | null>(600);
  const [hidden, setHidden] = useState(false);
  const chosen = levelOf(format, level) ?? levelOf(format, 1);
  const players = chosen?.players ?? [];
  const first = seats[0] ?? PERSON;
  const [offered, setOffered] = useState<Brains>(USUAL);
  useEffect(() => {
    listBrains().then(setOffered, () => undefined);
  }, []);
  const wish = (i: number, change: Partial<SeatWish>) =>
    setSeats(Array.from({ length: 4 }, (_, n) => ({ ...(seats[n] ?? PERSON), ...(n === i ? change : {}) })));
  // R9.2, and a match with a house seat always has a clock.
  const noClock = format === "solo" && first.kind !== "house";

  const submit = (event: Event) => {
    event.preventDefault();
    const turnSeconds = clock === null && !noClock ? 600 : clock;
    onOpen({
      format,
      level: chosen?.level ?? 1,
      turn_seconds: turnSeconds,
      private: hidden,
      seats: players.map((_, i) => seatOf(seats[i] ?? PERSON)),
      join: players.some((_, i) => (seats[i] ?? PERSON).kind === "person"),
    });
  };

  return (
    <form class="panel custom" onSubmit={submit} aria-label="Custom room">
      <header class="section-head">
        <h2>Your own room</h2>
      </header>
      <div class="fields">
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
            {FORMATS.map((f) => (
              <option key={f} value={f}>
                {FORMAT_NAMES[f]}, {FORMAT_PLAYERS[f]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Level
          <select name="level" value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
            {LEVELS[format].map((n) => (
              <option key={n} value={n}>
                {n}: {levelOf(format, n)?.dimensions.replace("x", "×")}, {levelOf(format, n)?.maxMoves} turns
              </option>
            ))}
          </select>
        </label>
        <label>
          Clock
          <select
            name="clock"
            value={String(clock)}
            onChange={(event) =>
              setClock(event.currentTarget.value === "null" ? null : Number(event.currentTarget.value))
            }
          >
            {CLOCKS.filter((c) => c.value !== null || noClock).map((c) => (
              <option key={String(c.value)} value={String(c.value)}>
                {c.text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset class="custom-seats">
        <legend>Seats</legend>
        {players.map((player, i) => (
          <SeatRow
            key={player}
            player={player}
            team={format === "2v2" ? ` · team ${teamOf(player)}` : ""}
            wish={seats[i] ?? PERSON}
            offered={offered}
            onWish={(change) => wish(i, change)}
          />
        ))}
      </fieldset>
      <label class="check">
        <input type="checkbox" checked={hidden} onChange={(event) => setHidden(event.currentTarget.checked)} />
        Private: in no list, only with the code
      </label>
      <button type="submit" class="button primary" disabled={opening}>
        {opening ? "Opening…" : "Open the room"}
      </button>
    </form>
  );
}

interface SeatRowProps {
  player: PlayerId;
  team: string;
  wish: SeatWish;
  offered: Brains;
  onWish: (change: Partial<SeatWish>) => void;
}

function SeatRow({ player, team, wish, offered, onWish }: SeatRowProps) {
  const { kind, brain, style } = wish;
  return (
    <div class="custom-seat">
      <Mark player={player} size={20} />
      <span class="seat-title">
        {player}
        {team}
      </span>
      <select
        aria-label={`Seat ${player}`}
        value={kind === "house" ? `house ${brain}` : kind}
        onChange={(event) => {
          const [chosen, name = ""] = event.currentTarget.value.split(" ");
          onWish({ kind: chosen as SeatWish["kind"], brain: name });
        }}
      >
        <option value="person">Person</option>
        {offered.brains.map(({ name, model }) => (
          <option key={name} value={`house ${name}`}>
            {model === null ? `House bot: ${name}` : `Model: ${name.replace(/^model:/, "")}`}
          </option>
        ))}
        <option value="program">Outside program</option>
      </select>
      {kind === "house" && offered.styles.length > 0 && (
        <select
          aria-label={`Manner of ${player}`}
          value={style}
          onChange={(event) => onWish({ style: event.currentTarget.value })}
        >
          <option value="">Plays its own way</option>
          {offered.styles.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function seatOf({ kind, brain, style }: SeatWish) {
  switch (kind) {
    case "person":
      return { kind: "human" as const };
    case "program":
      return { kind: "ai" as const };
    case "house":
      return { kind: "ai" as const, brain, ...(style === "" ? {} : { style }) };
  }
}
