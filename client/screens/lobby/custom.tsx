/** A room of one's own: every format, every level, any mix of seats. */
import { useState } from "preact/hooks";
import { LEVELS, levelOf, teamOf } from "../../../shared/engine/levels.ts";
import { FORMATS, type Format } from "../../../shared/engine/types.ts";
import type { CreateRoomRequest } from "../../../shared/protocol/requests.ts";
import { Mark } from "../../ui/icons.tsx";
import { FORMAT_NAMES, FORMAT_PLAYERS } from "../../ui/words.ts";

type SeatWish = "person" | HouseBrain | "program";
type HouseBrain = "random" | "greedy" | "expert";

const SEATS: readonly { value: SeatWish; text: string }[] = [
  { value: "person", text: "Person" },
  { value: "random", text: "House bot: random" },
  { value: "greedy", text: "House bot: greedy" },
  { value: "expert", text: "House bot: expert" },
  { value: "program", text: "Outside program" },
];

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
  const [seats, setSeats] = useState<readonly SeatWish[]>(["person", "greedy", "greedy", "greedy"]);
  const [clock, setClock] = useState<number | null>(600);
  const [hidden, setHidden] = useState(false);
  const chosen = levelOf(format, level) ?? levelOf(format, 1);
  const players = chosen?.players ?? [];
  const first = seats[0] ?? "person";
  // R9.2, and a match with a house seat always has a clock.
  const noClock = format === "solo" && (first === "person" || first === "program");

  const submit = (event: Event) => {
    event.preventDefault();
    const turnSeconds = clock === null && !noClock ? 600 : clock;
    onOpen({
      format,
      level: chosen?.level ?? 1,
      turn_seconds: turnSeconds,
      private: hidden,
      seats: players.map((_, i) => seatOf(seats[i] ?? "person")),
      join: players.some((_, i) => seats[i] === "person"),
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
          <label key={player}>
            <Mark player={player} size={20} />
            <span class="seat-title">
              {player}
              {format === "2v2" ? ` · team ${teamOf(player)}` : ""}
            </span>
            <select
              aria-label={`Seat ${player}`}
              value={seats[i] ?? "person"}
              onChange={(event) => {
                const value = event.currentTarget.value as SeatWish;
                setSeats(Array.from({ length: 4 }, (_, n) => (n === i ? value : (seats[n] ?? "person"))));
              }}
            >
              {SEATS.map((s) => (
                <option key={s.value} value={s.value}>
                  {s.text}
                </option>
              ))}
            </select>
          </label>
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

function seatOf(wish: SeatWish) {
  switch (wish) {
    case "person":
      return { kind: "human" as const };
    case "program":
      return { kind: "ai" as const };
    case "random":
    case "greedy":
    case "expert":
      return { kind: "ai" as const, brain: wish };
  }
}
