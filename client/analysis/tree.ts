/** A tree of positions: a main line and branches off it. Pure functions over one value. */
import type { Match, MatchEvent, PlayerId } from "../../shared/engine/index.ts";

export interface Node {
  readonly id: number;
  readonly parent: number | null;
  readonly match: Match;
  /** What led here from the parent; null at the root. */
  readonly command: string | null;
  readonly player: PlayerId | null;
  readonly events: readonly MatchEvent[];
  /** The first one is the line that goes on. */
  readonly children: readonly number[];
}

export interface Tree {
  readonly nodes: readonly Node[];
  /** The node that is looked at. */
  readonly at: number;
}

/** How a node came from the one before it. */
export type Move = Pick<Node, "match" | "command" | "player" | "events">;

export function treeOf(root: Match): Tree {
  return {
    nodes: [{ id: 0, parent: null, match: root, command: null, player: null, events: [], children: [] }],
    at: 0,
  };
}

export function nodeAt(tree: Tree, id: number = tree.at): Node {
  const node = tree.nodes[id];
  if (node === undefined) throw new RangeError(`no node ${id}`);
  return node;
}

/** Plays from the node that is looked at; a move that is there already is gone to, not doubled. */
export function withMove(tree: Tree, move: Move): Tree {
  const from = nodeAt(tree);
  const known = from.children.find((id) => move.command !== null && nodeAt(tree, id).command === move.command);
  if (known !== undefined) return { ...tree, at: known };
  const id = tree.nodes.length;
  const nodes = tree.nodes.map((n) => (n.id === from.id ? { ...n, children: [...n.children, id] } : n));
  return { nodes: [...nodes, { ...move, id, parent: from.id, children: [] }], at: id };
}

export function goTo(tree: Tree, id: number): Tree {
  nodeAt(tree, id);
  return { ...tree, at: id };
}

/** One back, or on along the line; where it ends, the same tree. */
export function stepBy(tree: Tree, by: -1 | 1): Tree {
  const here = nodeAt(tree);
  const next = by < 0 ? here.parent : (here.children[0] ?? null);
  return next === null ? tree : { ...tree, at: next };
}

/** Takes the node that is looked at away with all that follows from it, and looks at its parent; the root stays. */
export function without(tree: Tree): Tree {
  const gone = nodeAt(tree);
  if (gone.parent === null) return tree;
  const renamed = new Map<number, number>();
  const dead = new Set([gone.id]);
  for (const node of tree.nodes) if (node.parent !== null && dead.has(node.parent)) dead.add(node.id);
  const kept = tree.nodes.filter((n) => !dead.has(n.id));
  kept.forEach((n, i) => {
    renamed.set(n.id, i);
  });
  const nodes = kept.map((n, i) => ({
    ...n,
    id: i,
    parent: n.parent === null ? null : (renamed.get(n.parent) ?? null),
    children: n.children.flatMap((c) => renamed.get(c) ?? []),
  }));
  return { nodes, at: renamed.get(gone.parent) ?? 0 };
}

/** The nodes from the root to `id`. */
export function lineTo(tree: Tree, id: number = tree.at): readonly Node[] {
  const line: Node[] = [];
  for (let n: number | null = id; n !== null; n = nodeAt(tree, n).parent) line.push(nodeAt(tree, n));
  return line.reverse();
}

/** A row of the list of moves: the main line at depth 0, a branch one deeper, right after the move it replaces. */
export interface Row {
  readonly node: Node;
  readonly depth: number;
}

export function rowsOf(tree: Tree): readonly Row[] {
  const rows: Row[] = [];
  const follow = (id: number, depth: number): void => {
    let node = nodeAt(tree, id);
    for (;;) {
      const [main, ...others] = node.children;
      if (main === undefined) return;
      rows.push({ node: nodeAt(tree, main), depth });
      for (const other of others) {
        rows.push({ node: nodeAt(tree, other), depth: depth + 1 });
        follow(other, depth + 1);
      }
      node = nodeAt(tree, main);
    }
  };
  follow(0, 0);
  return rows;
}
