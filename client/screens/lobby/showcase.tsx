/** The board of the hour beside the title: the showcase match, or a poster while none runs. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PlayerId } from "../../../shared/engine/types.ts";
import { type BoardModel, boardModel } from "../../board/model.ts";
import { poster } from "../../board/poster.ts";
import type { RoomRow } from "../../net/api.ts";
import { BoardPicture } from "../../ui/boardPicture.tsx";
import { Mark } from "../../ui/icons.tsx";
import { FORMAT_NAMES, playerName } from "../../ui/words.ts";
import { useMatchState } from "./live.tsx";

const SHOWCASE_EVERY_MS = 4_000;

export function Showcase({ rooms }: { rooms: readonly RoomRow[] }) {
  const room = useMemo(() => pick(rooms), [rooms]);
  const state = useMatchState(room?.match_id ?? null, SHOWCASE_EVERY_MS);
  const still = useMemo(() => poster("ffa4", 1), []);
  const [board, setBoard] = useState<BoardModel>(still);
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => setBoard(state ? boardModel(state) : still), [state]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const live = room !== null && state !== null;
  return (
    <aside class="showcase" aria-label="Showcase">
      <div class="showcase-board" ref={place}>
        {width > 0 && (
          <BoardPicture board={board} width={width} label={live ? "A match being played now" : "A board of Gearmice"} />
        )}
      </div>
      {live && state && room && (
        <div class="showcase-bar">
          <span class="pill live">
            <i /> <span>Live</span>
          </span>
          <span class="showcase-scores">
            {(Object.keys(state.scoring.scores) as PlayerId[]).map((p) => (
              <span key={p} title={playerName(state, p)}>
                <Mark player={p} size={17} />
                {state.scoring.scores[p]}
              </span>
            ))}
          </span>
          <a
            class="button small"
            href={`/room/${room.code}?watch=1`}
            aria-label={`Watch this ${FORMAT_NAMES[room.format]} live`}
          >
            Watch
          </a>
        </div>
      )}
    </aside>
  );
}

/** Bots only, if there is such a match: nobody minds being shown. */
function pick(rooms: readonly RoomRow[]): RoomRow | null {
  return rooms.find((room) => room.seats.every((seat) => seat.kind === "ai")) ?? null;
}
