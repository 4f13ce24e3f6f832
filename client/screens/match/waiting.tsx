/** A room that still waits: who is there, who is needed, how to call them. */
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import type { Session } from "../../store/session.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { playerName, plural, seatText } from "../../ui/words.ts";
import { InviteQr, Share } from "./share.tsx";

interface WaitingProps {
  state: NativeState;
  seat: PlayerId | null;
  session: Session;
}

export function Waiting({ state, seat }: WaitingProps) {
  const players = Object.keys(state.status.players) as PlayerId[];
  const missing = players.filter((p) => !state.status.players[p]?.taken);
  return (
    <section class="panel waiting" aria-label="Waiting room">
      <h2>{missing.length === 0 ? "Starting…" : `${plural(missing.length, "seat")} to fill`}</h2>
      <p>Send the link or the code. Whoever opens it takes the next seat, and the match starts with the last one.</p>
      <Share code={state.meta.room_code} big />
      <ul class="seats">
        {players.map((player) => {
          const info = state.status.players[player];
          if (!info) return null;
          return (
            <li key={player} class={info.taken ? "taken" : "free"} data-seat={player}>
              <Mark player={player} size={22} />
              <span>
                <b>{info.taken ? playerName(state, player) : "Free seat"}</b>
                <small>
                  {player === seat
                    ? "you"
                    : info.taken
                      ? seatText(info)
                      : info.kind === "ai"
                        ? "for a program"
                        : "for a person"}
                </small>
              </span>
              {info.taken && <Icon name="check" size={18} />}
            </li>
          );
        })}
      </ul>
      {missing.some((p) => state.status.players[p]?.kind !== "ai") && <InviteQr code={state.meta.room_code} />}
    </section>
  );
}
