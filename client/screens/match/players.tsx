/** Who plays: seat, clock, score, mice home, stock. */
import { useEffect } from "preact/hooks";
import { teamOf } from "../../../shared/engine/levels.ts";
import { GEAR_TYPES, type PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { clockText, serverNow, tick, warningOf, watchClock } from "../../store/clock.ts";
import { GearIcon, Mark, MouseIcon } from "../../ui/icons.tsx";
import { playerName, seatText } from "../../ui/words.ts";

interface PlayersProps {
  /** As the match is now: clocks and connections. */
  state: NativeState;
  /** What is looked at: numbers and stocks. */
  shown: NativeState;
  seat: PlayerId | null;
}

export function Players({ state, shown, seat }: PlayersProps) {
  const players = Object.keys(state.status.players) as PlayerId[];
  return (
    <section class={`players count-${players.length}`} aria-label="Players">
      {players.map((player) => (
        <PlayerCard key={player} state={state} shown={shown} player={player} me={player === seat} />
      ))}
    </section>
  );
}

interface CardProps extends Omit<PlayersProps, "seat"> {
  player: PlayerId;
  me: boolean;
}

function PlayerCard({ state, shown, player, me }: CardProps) {
  const info = state.status.players[player];
  if (!info) return null;
  const { meta, status, scoring, data } = shown;
  const toMove = meta.current_player === player;
  const out = info.status !== "ACTIVE";
  const home = status.mice_rescued[player] ?? 0;
  const total = status.total_mice_per_player;
  const stock = data.inventories[player];
  const left = stock ? GEAR_TYPES.reduce((sum, type) => sum + stock[type], 0) : 0;
  const classes = ["player", toMove ? "to-move" : "", out ? "out" : "", me ? "me" : ""].join(" ");
  return (
    <article class={classes} data-player={player} aria-label={`${player}: ${playerName(state, player)}`}>
      <header>
        <span class="seat-mark">
          <Mark player={player} size={28} />
          <span
            class={info.connected ? "dot on" : "dot"}
            role="img"
            title={info.connected ? "connected" : "not connected"}
            aria-label={info.connected ? "connected" : "not connected"}
          />
        </span>
        <div class="player-name">
          <strong title={playerName(state, player)}>{playerName(state, player)}</strong>
          <small>
            {me && <em class="you">you</em>}
            {player}
            {meta.format === "2v2" ? ` · team ${teamOf(player)}` : ""} ·{" "}
            {out ? info.status.toLowerCase() : seatText(info)}
          </small>
        </div>
        <Clock state={state} player={player} />
      </header>
      <div class="player-numbers">
        <span class="score" title="Points">
          <b data-score={player}>{scoring.scores[player] ?? 0}</b>
          <small>points</small>
        </span>
        <span
          class="home"
          role="img"
          aria-label={`${home} of ${total} mice home`}
          title={`${home} of ${total} mice home`}
        >
          <span class="home-mice" aria-hidden="true">
            {Array.from({ length: total }, (_, i) => (
              <MouseIcon key={i} player={player} home={i < home} size={total > 6 ? 13 : 17} />
            ))}
          </span>
          <small class="home-count">
            {home}/{total} home
          </small>
        </span>
      </div>
      {stock && meta.phase === "playing" && (
        <ul class="stock" aria-label="Gears in stock">
          {left === 0 ? (
            <li class="stock-none">no gears left: turning only</li>
          ) : (
            GEAR_TYPES.map((type) => (
              <li key={type} class={stock[type] === 0 ? "none" : ""} aria-label={`${type}: ${stock[type]}`}>
                <GearIcon type={type} size={20} />
                <span>{stock[type]}</span>
              </li>
            ))
          )}
        </ul>
      )}
    </article>
  );
}

function Clock({ state, player }: { state: NativeState; player: PlayerId }) {
  const { deadline_ms, current_player, options } = state.meta;
  const running = current_player === player && deadline_ms !== null;
  useEffect(() => (running ? watchClock() : undefined), [running]);
  if (options.turn_seconds === null || state.meta.phase === "over") return null;
  void (running && tick.value);
  const ms = running ? deadline_ms - serverNow() : options.turn_seconds * 1000;
  const warning = running ? warningOf(ms) : null;
  const level = warning === null ? "" : { 60: "soon", 30: "low", 10: "last" }[warning];
  return (
    <span class={`clock ${running ? "running" : ""} ${level}`} role="timer" aria-label={`${player}'s clock`}>
      {clockText(ms)}
    </span>
  );
}
