/** What is heard of a match: sounds of its events, what a screen reader is told, and answers to questions asked by key. */
import { useEffect, useRef } from "preact/hooks";
import type { MatchEvent, PlayerId, TileLabel } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { interrupt, say } from "../../dom/announce.ts";
import { describeCommand, describeEvents, describeMouse } from "../../dom/describe.ts";
import { clockText, serverNow, warningOf } from "../../store/clock.ts";
import type { Session } from "../../store/session.ts";
import { play } from "../../ui/sound.ts";

export function soundOf(event: MatchEvent): void {
  switch (event.type) {
    case "placed":
      play("place");
      return;
    case "turned":
      play("turn");
      return;
    case "entered":
    case "jumped":
      play("jump");
      return;
    case "escaped":
      play("home");
      return;
    case "entropy":
    case "orb":
      play("entropy");
      return;
    default:
      return;
  }
}

/** Tells what happens; interrupts only for our turn and for time that runs out. */
export function useAnnouncements(session: Session, seat: PlayerId | null): void {
  const warned = useRef("");
  useEffect(() => {
    const unbind = session.onChange(({ after, message }) => {
      if (message === null) return;
      const size = dimensions(after);
      const command = message.command ? describeCommand(message.command, size) : null;
      const what = [command && message.player ? `${message.player} ${command}` : "", describeEvents(message.events)];
      say(what.filter(Boolean).join(". "));
      if (seat !== null && after.meta.current_player === seat && message.current_player === seat) {
        interrupt("Your turn");
        play("yourTurn");
      }
    });
    const timer = setInterval(() => {
      const meta = session.state.value?.meta;
      if (!meta || meta.deadline_ms === null || meta.current_player !== seat || seat === null) return;
      const left = meta.deadline_ms - serverNow();
      const warning = warningOf(left);
      const key = `${meta.turn} ${warning}`;
      if (warning === null || warned.current === key) return;
      warned.current = key;
      interrupt(`${Math.max(1, Math.ceil(left / 1000))} seconds left`);
    }, 1000);
    return () => {
      unbind();
      clearInterval(timer);
    };
  }, [session, seat]);
}

function dimensions(state: NativeState) {
  const [width = 0, height = 0] = state.meta.dimensions.split("x").map(Number);
  return { width, height };
}

/** Questions asked by key on the focused board; true when it was one. */
export function answerQuery(
  key: string,
  state: NativeState,
  seat: PlayerId | null,
  legal: readonly TileLabel[],
): boolean {
  switch (key) {
    case "m": {
      const mice = Object.entries(state.data.mice).filter(([, m]) => seat === null || m.owner === seat);
      say(mice.map(([id, mouse]) => describeMouse(id, mouse)).join("; "));
      return true;
    }
    case "g": {
      const mine = Object.entries(state.data.gear_owners).filter(([, owner]) => owner === seat);
      say(`Your gears: ${mine.map(([tile]) => tile).join(", ") || "none"}`);
      return true;
    }
    case "l":
      say(`Legal here: ${legal.join(", ") || "nothing, it is not your turn"}`);
      return true;
    case "c": {
      const { deadline_ms, current_player } = state.meta;
      say(deadline_ms === null ? "No clock" : `${current_player} has ${clockText(deadline_ms - serverNow())}`);
      return true;
    }
    case "h":
      say(state.data.history.at(-1) ?? "Nobody has moved yet");
      return true;
    case "s":
      say(
        Object.entries(state.scoring.scores)
          .map(([p, n]) => `${p} ${n} points`)
          .join(", "),
      );
      return true;
    default:
      return false;
  }
}
