/** The rules of the game for people, with the boards and gears of the game itself. */
import { useEffect, useMemo } from "preact/hooks";
import { LEVELS, levelOf } from "../../shared/engine/levels.ts";
import { type Format, GEAR_TYPES, PLAYERS, type Quarter } from "../../shared/engine/types.ts";
import { BASES, boardModel } from "../board/model.ts";
import { wayOf } from "../dom/describe.ts";
import { stateOf } from "../store/localGame.ts";
import { matchAfter } from "../store/localMatch.ts";
import { BoardPicture } from "../ui/boardPicture.tsx";
import { GearIcon, Icon, Mark } from "../ui/icons.tsx";
import { TopBar } from "../ui/topbar.tsx";
import { LESSONS } from "./lessons.ts";
import { PATTERNS } from "./patterns.ts";
import { TryBoard } from "./tryBoard.tsx";

const QUARTERS: readonly Quarter[] = [0, 1, 2, 3];

export function RulesPage() {
  useEffect(() => {
    document.title = "Gearmice · Rules";
  }, []);
  const block = LESSONS.find((l) => l.id === "block");
  return (
    <div class="page rules-page">
      <TopBar />
      <main class="prose rules">
        <h1>Rules</h1>
        <p>
          You never move a mouse. You place gears, later you turn them; mice ride along and jump from gear to gear.
          Bring yours over the far edge. Rather try than read? <a href="/tutorial">Play the first game</a>.
        </p>

        <section>
          <h2>The board</h2>
          <div class="rules-pair">
            <Level format="solo" level={1} caption="Solo, level 1: you against the moves that are left." />
            <Level format="ffa4" level={1} caption="Arena with four: everybody has an edge to start from." />
          </div>
          <p>
            Tile P<i>xy</i> is in column x from the left and row y from below, so P11 is the corner at the bottom left;
            on the largest board P110 is column 1, row 10. Tiles alternate: R where x + y is even (brass gears), L where
            it is odd (steel). Nothing stands on an obstacle. Directions are the board's, the same for everyone: 0
            north, 1 west, 2 south, 3 east.
          </p>
          <div class="table-wrap">
            <table class="rules-table">
              <thead>
                <tr>
                  <th scope="col">Player</th>
                  <th scope="col">starts at</th>
                  <th scope="col">goes</th>
                  <th scope="col">leaves over</th>
                </tr>
              </thead>
              <tbody>
                {(
                  [
                    ["P1", "the bottom row", "north", "the top row"],
                    ["P2", "the top row", "south", "the bottom row"],
                    ["P3", "the right column", "west", "the left column"],
                    ["P4", "the left column", "east", "the right column"],
                  ] as const
                ).map(([player, from, way, to]) => (
                  <tr key={player}>
                    <th scope="row">
                      <span class="result-name">
                        <Mark player={player} size={20} /> {player}
                      </span>
                    </th>
                    <td>{from}</td>
                    <td>{way}</td>
                    <td>{to}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p>
            Solo is P1 alone, a duel P1 and P2. In teams P1 and P2 play against P3 and P4. Each player has one mouse per
            lane, waiting outside; they are called M1_P1, M2_P1 and so on.
          </p>
        </section>

        <section>
          <h2>Gears and where they look</h2>
          <p>
            Dark bowls are bases: one mouse each. The orientation b counts quarter turns to the left; base k looks in
            direction b + k (less 4 when that is more than 3).
          </p>
          <div class="table-wrap">
            <table class="rules-table gears">
              <thead>
                <tr>
                  <th scope="col">Gear</th>
                  {QUARTERS.map((b) => (
                    <th key={b} scope="col">
                      b={b}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {GEAR_TYPES.map((type) => (
                  <tr key={type}>
                    <th scope="row">
                      {type}
                      <small>
                        {" "}
                        {"{"}
                        {BASES[type].join(", ")}
                        {"}"}
                      </small>
                    </th>
                    {QUARTERS.map((b) => (
                      <td key={b}>
                        <GearIcon type={type} b={b} size={52} />
                        <span class="sr-only">looks {BASES[type].map((k) => wayOf(b + k)).join(", ")}</span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>

        <section>
          <h2>Turning a block</h2>
          <p>
            Gears on tiles that share a side mesh: all that hang together are a block. Turning one gear a quarter (+90{" "}
            <Icon name="left" size={16} /> or −90 <Icon name="right" size={16} />) turns its whole block, gears of the
            same metal the same way, those of the other against it. Mice ride on their base. Nothing outside of the
            block moves.
          </p>
          {block && (
            <TryBoard
              id="block"
              setup={block.setup}
              opening={block.opening}
              task="Choose any gear, then a way round."
            />
          )}
        </section>

        <section>
          <h2>A turn, always in this order</h2>
          <ol class="tree">
            <li>
              <b>A gear is placed</b> and taken from your stock; mice that now can, come in. Or, once your stock is
              empty: a <b>pre-move</b> sets one gear to any facing by itself (nobody moves by that).
            </li>
            <li>
              <b>The block turns.</b>
            </li>
            <li>
              Solo, once: your last gear brings <b>total entropy</b>. The gears of the second row from the top are
              shuffled and turned at random; mice stay on theirs.
            </li>
            <li>
              <b>Mice come in</b> whose lane's first tile has a free base that looks out at them.
            </li>
            <li>
              <b>Every mouse in play looks where its base points</b>, whoever made the turn:
              <ul>
                <li>
                  over the edge it has to leave by → it is <b>home</b>, +10;
                </li>
                <li>off the board elsewhere, at an obstacle or an empty tile → it stays;</li>
                <li>at a gear without a free base that looks straight back → it stays;</li>
                <li>at another mouse, face to face → they block each other;</li>
                <li>
                  at a free base that looks straight back → it <b>jumps</b>: forward +10, sideways +5, back −10. Once a
                  turn.
                </li>
              </ul>
            </li>
            <li>
              The turn counter grows, and the next player is to move. Solo: in time an <b>Orb</b> appears.
            </li>
          </ol>
          <p>
            The Orb is a decoy. It rides, jumps and takes a base like a mouse of yours, scores nothing and never leaves:
            once it looks over the far edge, it is locked. Orb and entropy are Solo's alone; a match without them is not
            ranked.
          </p>
        </section>

        <section>
          <h2>Where you may place and what you may turn</h2>
          <p>
            Your first gear goes on your start edge (if that is full: next to any gear), every other one next to your{" "}
            <b>network</b>: all blocks with at least one gear of yours in it. While you have gears you can only place;
            afterwards you can only turn, any gear of your network, with or without a pre-move.
          </p>
          <h3>Four ways to place a gear</h3>
          <div class="patterns">
            {PATTERNS.map((pattern) => (
              <article key={pattern.id} class="pattern">
                <h4>{pattern.title}</h4>
                <p>{pattern.text}</p>
                <TryBoard id={pattern.id} setup={pattern.setup} opening={pattern.opening} task={pattern.task} />
              </article>
            ))}
          </div>
        </section>

        <section>
          <h2>The end, and who wins</h2>
          <p>
            A match ends when every mouse of everybody still in is home, when the moves have run out, or when at most
            one side is left. Who resigns or lets the clock run out is out; gears and mice stay on the board.
          </p>
          <p>
            In the Arena your efficiency is your points × the share of your mice that are home; in teams it is the mean
            of the points × the mean share. In Solo it is points × ideal moves ÷ moves used × share of mice home. The
            higher efficiency wins, then the points.
          </p>
          <p>
            A refused command costs the turn in Solo. In the Arena you may try again, nine times; the tenth loses the
            turn, and three turns lost that way put you out.
          </p>
          <Levels />
        </section>

        <section>
          <h2>Commands</h2>
          <dl class="rules-commands">
            <div>
              <dt>
                <code>G3@P21(b=2)+90</code>
              </dt>
              <dd>place a G3 on P21, facing b=2, then turn its block left</dd>
            </div>
            <div>
              <dt>
                <code>G@P21-90</code>
              </dt>
              <dd>turn the block of the gear on P21 right</dd>
            </div>
            <div>
              <dt>
                <code>G@P11:b=2 ; G@P21+90</code>
              </dt>
              <dd>set the gear on P11 to b=2, then turn the block of P21 left</dd>
            </div>
          </dl>
        </section>
      </main>
    </div>
  );
}

function Level({ format, level, caption }: { format: Format; level: number; caption: string }) {
  const board = useMemo(() => boardModel(stateOf(matchAfter({ format, level }, []))), [format, level]);
  return (
    <figure class="rules-level">
      <BoardPicture board={board} width={260} label={caption} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

function Levels() {
  const rows = (["solo", "1v1"] as const).flatMap((format) => LEVELS[format].map((level) => levelOf(format, level)));
  return (
    <div class="table-wrap">
      <table class="rules-table">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">board</th>
            <th scope="col">most turns</th>
            <th scope="col">ideal</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(
            (each) =>
              each && (
                <tr key={`${each.format}${each.level}`}>
                  <th scope="row">
                    {each.format === "solo" ? "Solo" : "Duel"} {each.level}
                  </th>
                  <td>{each.dimensions.replace("x", "×")}</td>
                  <td>{each.maxMoves}</td>
                  <td>{each.idealMoves ?? "–"}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      <p class="note">With {PLAYERS.length} players the same boards have twice the turns.</p>
    </div>
  );
}
