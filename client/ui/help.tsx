/** The game in two minutes. */
import { Dialog } from "./dialog.tsx";
import { GearIcon, Icon, MouseIcon } from "./icons.tsx";

export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="How to play" onClose={onClose} wide>
      <ol class="help">
        <li>
          <span class="help-art">
            <MouseIcon player="P1" size={46} />
          </span>
          <div>
            <h3>Bring your mice across</h3>
            <p>
              Your mice wait at their start edge, one in each lane, and want to leave over the opposite edge, where the
              arrows of your colour point. Each mouse that gets home scores.
            </p>
          </div>
        </li>
        <li>
          <span class="help-art">
            <GearIcon type="G3" parity="R" owner="P1" size={60} />
          </span>
          <div>
            <h3>First you place gears</h3>
            <p>
              Your first gear goes on your start edge, the next ones beside your network. A gear has one to four dark
              bases on which mice can sit; where there is only a rivet, nobody can.
            </p>
          </div>
        </li>
        <li>
          <span class="help-art pair">
            <GearIcon type="G2" parity="R" size={50} />
            <GearIcon type="G2" b={1} parity="L" size={50} />
          </span>
          <div>
            <h3>Every move turns a block</h3>
            <p>
              With each gear you choose a quarter turn left <Icon name="left" size={16} /> or right{" "}
              <Icon name="right" size={16} />. Gears that touch mesh: brass turns one way, steel the other, the whole
              block at once, with the mice on it.
            </p>
          </div>
        </li>
        <li>
          <span class="help-art pair">
            <GearIcon type="G1" b={3} parity="R" size={50} />
            <GearIcon type="G1" b={1} parity="L" size={50} />
          </span>
          <div>
            <h3>Then mice jump</h3>
            <p>
              When two bases face each other across the teeth, a mouse on one jumps to the other if it is free. Forward
              is worth +10, sideways +5, backward −10. A mouse that faces its far edge from the last row leaves: +10.
            </p>
          </div>
        </li>
        <li>
          <span class="help-art">
            <GearIcon type="G4" parity="L" size={60} />
          </span>
          <div>
            <h3>When your gears are placed, you turn</h3>
            <p>
              Choose any gear of your network and a direction. Before that you may set one gear to a new facing by
              itself: the pre-move. Gears of others that touch yours belong to your network too, and yours to theirs.
            </p>
          </div>
        </li>
        <li>
          <span class="help-art">
            <svg width="54" height="54" viewBox="-.8 -.8 1.6 1.6" aria-hidden="true">
              <circle r=".7" fill="rgba(72,231,190,.35)" />
              <circle r=".38" fill="#8a4fd8" stroke="#0d1f24" stroke-width=".06" />
              <ellipse cy="-.05" rx=".19" ry=".15" fill="#eafff8" />
              <circle cy="-.08" r=".085" fill="#0f6b5c" />
            </svg>
          </span>
          <div>
            <h3>Solo has surprises</h3>
            <p>
              Your last gear sets off total entropy: the second row from the top is shuffled. And an Orb appears, a
              decoy that takes a base and helps nobody.
            </p>
          </div>
        </li>
      </ol>
      <h3>Keys on the board</h3>
      <dl class="keys">
        <div>
          <dt>
            <kbd>←↑↓→</kbd>
          </dt>
          <dd>move, Enter or blank chooses</dd>
        </div>
        <div>
          <dt>
            <kbd>1</kbd>–<kbd>4</kbd> <kbd>R</kbd>
          </dt>
          <dd>gear type, facing</dd>
        </div>
        <div>
          <dt>
            <kbd>+</kbd> <kbd>−</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>turn left, turn right, play</dd>
        </div>
        <div>
          <dt>
            <kbd>P</kbd> <kbd>Esc</kbd>
          </dt>
          <dd>pre-move, start over</dd>
        </div>
        <div>
          <dt>
            <kbd>M</kbd> <kbd>G</kbd> <kbd>L</kbd> <kbd>C</kbd> <kbd>H</kbd> <kbd>S</kbd>
          </dt>
          <dd>read out mice, gears, legal tiles, clock, last move, scores</dd>
        </div>
      </dl>
      <footer class="dialog-foot">
        <button type="button" class="button primary" onClick={onClose}>
          Let's play
        </button>
        <a class="button" href="/tutorial" target="_blank" rel="noopener">
          First game
        </a>
        <a class="button" href="/rules" target="_blank" rel="noopener">
          All the rules
        </a>
      </footer>
    </Dialog>
  );
}
