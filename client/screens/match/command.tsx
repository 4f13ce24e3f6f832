/** Commands by hand, for those who know the notation; the server says why it refuses one. */
import { useState } from "preact/hooks";
import type { NativeState } from "../../../shared/protocol/state.ts";
import type { Session } from "../../store/session.ts";
import { Icon } from "../../ui/icons.tsx";

interface CommandFieldProps {
  session: Session;
  state: NativeState;
  suggestion: string | null;
  mine: boolean;
}

export function CommandField({ session, state, suggestion, mine }: CommandFieldProps) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<{ ok: boolean; text: string } | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const command = text === "" ? (suggestion ?? "") : text;
    if (command === "") return;
    const got = await session.move(command);
    if (got.ok) setText("");
    setAnswer(got.ok ? { ok: true, text: `Played ${command}` } : { ok: false, text: `${got.code}: ${got.message}` });
  };
  return (
    <form class="panel command" aria-label="Type a command" onSubmit={submit}>
      <label for="command">Type a command</label>
      <div class="command-row">
        <input
          id="command"
          name="command"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={200}
          placeholder={suggestion ?? (mine ? "G3@P21(b=2)+90" : "not your turn")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          aria-describedby="command-answer"
        />
        <button type="submit" class="button" aria-label="Send command">
          <Icon name="play" size={18} />
        </button>
      </div>
      <p id="command-answer" class={answer && !answer.ok ? "problem" : "note"} role="status">
        {answer
          ? answer.text
          : state.meta.options.invalid === "lose_turn"
            ? "Careful: in this room a refused command costs the turn."
            : ""}
      </p>
    </form>
  );
}
