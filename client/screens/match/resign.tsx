/** Resigning, which asks first. */
import { useState } from "preact/hooks";
import type { Session } from "../../store/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icons.tsx";

export function Resign({ session, solo, onClose }: { session: Session; solo: boolean; onClose: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Dialog title="Resign this match?" onClose={onClose}>
      <p>{solo ? "The match ends here." : "You are out for good. Your gears and mice stay on the board."}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <footer class="dialog-foot">
        <button
          type="button"
          class="button danger"
          onClick={async () => {
            const answer = await session.resign();
            if (answer.ok) onClose();
            else setProblem(answer.message ?? "That did not work.");
          }}
        >
          <Icon name="flag" size={18} /> Resign
        </button>
        <button type="button" class="button" onClick={onClose}>
          Play on
        </button>
      </footer>
    </Dialog>
  );
}
