/** The lines above and beside the board: whose turn it is, for whom there is nothing to do, and the connection. */
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import type { Session } from "../../store/session.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { playerName, plural } from "../../ui/words.ts";

export function Banner({ state, seat }: { state: NativeState; seat: PlayerId | null }) {
  const { phase, current_player, turns_left, turn, max_moves } = state.meta;
  const mine = current_player === seat && seat !== null;
  return (
    <div class={mine ? "banner mine" : "banner"}>
      <span class="banner-who">
        {phase === "waiting" && "Waiting for players"}
        {phase === "over" && "The match is over"}
        {phase === "playing" && current_player && (
          <>
            <Mark player={current_player} size={20} />
            <span class="banner-name">{mine ? "Your turn" : playerName(state, current_player)}</span>
            {!mine && <span class="banner-verb">to move</span>}
          </>
        )}
      </span>
      <span class="banner-turns" title={`${plural(turns_left, "turn")} left`}>
        <span>
          Turn <b>{turn}</b> of {max_moves}
        </span>
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${(100 * turn) / max_moves}%` }} />
        </span>
        {state.status.spectators > 0 && (
          <span class="watching" title={plural(state.status.spectators, "spectator")}>
            <Icon name="eye" size={16} /> {state.status.spectators}
          </span>
        )}
      </span>
    </div>
  );
}

export function Onlooker({ state, seat }: { state: NativeState; seat: PlayerId | null }) {
  const mover = state.meta.current_player;
  const text =
    seat === null
      ? "You are watching. The board follows every move."
      : state.status.players[seat]?.status !== "ACTIVE"
        ? "You are out of this match; your gears and mice stay on the board."
        : `${mover ? playerName(state, mover) : "The other side"} is thinking.`;
  return (
    <section class="panel onlooker">
      <p>{text}</p>
    </section>
  );
}

export function LinkPill({ session }: { session: Session }) {
  const link = session.link.value;
  const words = { connecting: "Connecting", live: "Live", retrying: "Reconnecting", closed: "Not live" }[link];
  return (
    <span class={`pill ${link}`} data-link={link} role="status">
      <i /> <span>{words}</span>
      {link === "retrying" && (
        <button type="button" onClick={session.retryNow}>
          now
        </button>
      )}
    </span>
  );
}
