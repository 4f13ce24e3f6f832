/** The moves of the analysis: the line and its branches, each to be gone to by click or key. */
import { useEffect, useRef } from "preact/hooks";
import { describeEvents } from "../dom/describe.ts";
import { Icon, Mark } from "../ui/icons.tsx";
import { nodeAt, rowsOf, type Tree } from "./tree.ts";

interface MoveTreeProps {
  tree: Tree;
  onGo: (id: number) => void;
  onStep: (by: -1 | 1) => void;
  /** Takes the move that is looked at away, with all that follows. */
  onCut: () => void;
}

export function MoveTree({ tree, onGo, onStep, onCut }: MoveTreeProps) {
  const list = useRef<HTMLOListElement>(null);
  const here = nodeAt(tree);
  const held = useRef(false);
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>('[aria-current="step"]');
    line?.scrollIntoView?.({ block: "nearest" });
    if (held.current) line?.focus({ preventScroll: true });
  }, [tree.at]);
  const rows = rowsOf(tree);
  const row = (id: number, depth: number, turn: number, content: preact.ComponentChildren) => (
    <li key={id} style={{ paddingLeft: `${Math.min(depth, 5) * 16}px` }}>
      <button
        type="button"
        class={depth > 0 ? "move branch" : "move"}
        data-node={id}
        tabIndex={id === tree.at ? 0 : -1}
        {...(id === tree.at ? { "aria-current": "step" as const } : {})}
        onClick={() => onGo(id)}
      >
        <span class="move-turn">{turn}</span>
        {content}
      </button>
    </li>
  );
  return (
    <section class="panel history" aria-label="Moves">
      <header class="history-head">
        <h2>Moves</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, no form. */}
        <div class="steps" role="group" aria-label="Step through the moves">
          <button
            type="button"
            class="icon-button step-button"
            aria-label="One move back"
            aria-disabled={here.parent === null}
            onClick={() => onStep(-1)}
          >
            <Icon name="back" size={18} />
          </button>
          <button
            type="button"
            class="icon-button step-button"
            aria-label="One move on"
            aria-disabled={here.children.length === 0}
            onClick={() => onStep(1)}
          >
            <Icon name="next" size={18} />
          </button>
          <button
            type="button"
            class="icon-button step-button"
            aria-label="Take this move away"
            title="Take this move away"
            aria-disabled={here.parent === null}
            onClick={onCut}
          >
            <Icon name="close" size={18} />
          </button>
        </div>
      </header>
      <ol
        ref={list}
        class="moves"
        aria-label="Moves, oldest first; branches are indented"
        onKeyDown={(event) => {
          const by =
            event.key === "ArrowUp" || event.key === "ArrowLeft"
              ? -1
              : event.key === "ArrowDown" || event.key === "ArrowRight"
                ? 1
                : 0;
          if (by === 0) return;
          held.current = true;
          event.preventDefault();
          onStep(by);
        }}
        onFocusOut={() => {
          held.current = false;
        }}
      >
        {row(0, 0, nodeAt(tree, 0).match.turn, [
          <span key="mark" class="move-event">
            ✦
          </span>,
          <span key="text" class="move-text">
            The start
          </span>,
        ])}
        {rows.map(({ node, depth }) =>
          row(node.id, depth, node.match.turn, [
            node.player ? (
              <Mark key="mark" player={node.player} size={18} />
            ) : (
              <span key="mark" class="move-event">
                ✦
              </span>
            ),
            <span key="text" class="move-text">
              {node.command ? <code>{node.command}</code> : "a lost turn"}
              {describeEvents(node.events) && <small>{describeEvents(node.events)}</small>}
            </span>,
          ]),
        )}
      </ol>
    </section>
  );
}
