/** Matches to watch and rooms that wait, with their boards as they stand. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { thumbnailModel } from "../../board/model.ts";
import { listRooms, matchState, type RoomRow } from "../../net/api.ts";
import { BoardPicture } from "../../ui/boardPicture.tsx";
import { Icon, Mark } from "../../ui/icons.tsx";
import { FORMAT_NAMES, plural } from "../../ui/words.ts";

const REFRESH_MS = 10_000;
const SHOWN = { waiting: 3, playing: 5 } as const;

export interface Rooms {
  readonly playing: readonly RoomRow[];
  readonly waiting: readonly RoomRow[];
  /** Null until the first answer. */
  readonly problem: string | null;
  readonly loaded: boolean;
  refresh(): void;
}

/** The public rooms, fetched anew every ten seconds while the page is in view. */
export function useRooms(): Rooms {
  const [rooms, setRooms] = useState<{ playing: RoomRow[]; waiting: RoomRow[] }>({ playing: [], waiting: [] });
  const [loaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        const [playing, waiting] = await Promise.all([
          listRooms("playing", stop.signal),
          listRooms("waiting", stop.signal),
        ]);
        setRooms({ playing, waiting });
        setProblem(null);
        setLoaded(true);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      }
    };
    void load();
    const timer = setInterval(() => !document.hidden && void load(), REFRESH_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [round]);
  return { ...rooms, problem, loaded, refresh: () => setRound((n) => n + 1) };
}

export function Live({ rooms }: { rooms: Rooms }) {
  const all = [...rooms.waiting.slice(0, SHOWN.waiting), ...rooms.playing.slice(0, SHOWN.playing)];
  return (
    <section class="panel live" aria-label="Live rooms">
      <header class="section-head row">
        <h2>Live now</h2>
        <button type="button" class="icon-button" aria-label="Refresh the list" onClick={rooms.refresh}>
          <Icon name="refresh" />
        </button>
      </header>
      {rooms.problem && <p class="problem">{rooms.problem}</p>}
      {all.length === 0 && !rooms.problem && (
        <p class="note">{rooms.loaded ? "Nobody is playing in public right now. Open a room above." : "Looking…"}</p>
      )}
      <ul class="live-list">
        {all.map((room) => (
          <LiveRow key={room.code} room={room} />
        ))}
      </ul>
    </section>
  );
}

function LiveRow({ room }: { room: RoomRow }) {
  const { dimensions, board: text, gear_owners } = room.thumbnail;
  const board = useMemo(
    () =>
      thumbnailModel(
        dimensions,
        text,
        gear_owners,
        room.seats.map((s) => s.seat),
      ),
    [dimensions, text],
  );
  const waits = room.phase === "waiting";
  const free = room.seats.filter((s) => !s.taken).length;
  return (
    <li class="live-row" data-room={room.code}>
      <div class="live-thumb">
        <BoardPicture board={board} width={76} label="" />
      </div>
      <div class="live-words">
        <b>{FORMAT_NAMES[room.format]}</b>
        <small>
          level {room.level}
          {waits ? ` · ${plural(free, "seat")} free` : ""}
          {room.spectators > 0 ? ` · ${plural(room.spectators, "watcher")}` : ""}
        </small>
        <span class="live-seats">
          {room.seats.map((seat) => (
            <span key={seat.seat} class={seat.taken ? "live-seat" : "live-seat free"}>
              <Mark player={seat.seat} size={14} />
              {seat.name ?? (seat.taken ? "house bot" : "free")}
            </span>
          ))}
        </span>
      </div>
      <a class="button small" href={`/room/${room.code}${waits ? "" : "?watch=1"}`}>
        {waits ? "Join" : "Watch"}
      </a>
    </li>
  );
}

/** A spectator's look at a match, renewed while the page is in view. */
export function useMatchState(matchId: string | null, everyMs: number): NativeState | null {
  const [state, setState] = useState<NativeState | null>(null);
  useEffect(() => {
    if (matchId === null) {
      setState(null);
      return;
    }
    let gone = false;
    const load = () =>
      matchState(matchId, null)
        .then((s) => !gone && setState(s))
        .catch(() => undefined); // A thumbnail that does not come is no trouble; the next round may.
    void load();
    const timer = setInterval(() => !document.hidden && void load(), everyMs);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [matchId, everyMs]);
  return state;
}
