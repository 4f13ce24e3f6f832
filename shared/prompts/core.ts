/** What holds in every match: how the board works, what the state says, how to think, how to answer. */
import { type Fragment, fragment } from "./fragment.ts";

export const physics: Fragment = fragment("core.physics", "How the board works", [
  "The board has W columns and H rows. `P<x><y>` is the tile in column x (1 to W, counted to the right) and row y (1 to H, counted upwards), so P11 is the bottom left tile. Numbers carry no leading zeros: on 10x10, P110 is (1,10), P101 is (10,1), P1010 is (10,10).", // R1.1
  "Directions belong to the board and are the same for every player: 0 = N (y grows), 1 = W (x shrinks), 2 = S (y shrinks), 3 = E (x grows).", // R1.3
  "A tile is of kind R when x + y is even and of kind L when it is odd, so tiles that share a side are never of one kind. An obstacle never holds a gear.", // R1.2
  "Gears have bases, numbered by the direction they point in while b = 0: G1 {0}, G2 {0,2}, G3 {1,2,3}, G4 {0,1,2,3}. Base k of a gear with orientation b points in direction (b + k) mod 4.", // R2.1, R2.2
  "+90 turns a gear counter-clockwise, b becomes b + 1 mod 4; -90 turns it clockwise, b becomes b - 1 mod 4.", // R2.3
  "Gears on tiles that share a side are connected, and all that are connected with one another form a block. Turning one gear by d turns its whole block: gears on tiles of the same kind as the turned one by d, the others by -d. Nothing outside the block moves. Mice ride on their base.", // R2.4, R2.5
  "Mice are WAITING (outside the board, at their lane), IN_PLAY (on a base) or ESCAPED. A base holds one mouse at most.", // R3.4, R3.6
  "Entry: a waiting mouse sits down when the gear on its lane's first tile has a free base that points out of the board towards it. This brings no points, and it happens before the jumps.", // R6.1
  "Jump: at the end of the turn a mouse in play looks where its base points. If the next tile there holds a gear with a free base that points straight back, the mouse changes over to that base. Each mouse jumps once in a turn at most, and all mice of all players do so in every turn, whoever moved.", // R6.2, R5.6
  "Two mice that look at each other block each other: neither jumps.", // R6.2
  "Exit: a mouse that looks in its own forward direction off the board is ESCAPED and never comes back. Looking off the board anywhere else does nothing.", // R6.3
  "What happens in a turn, in order: a placed gear is put down and waiting mice enter, or a pre-move sets one gear's b (nobody enters or jumps by that); the block turns; waiting mice enter; mice jump or leave.", // R5
  "Worked example, Solo level 1, empty board: `G4@P11(b=0)+90` lets M1_P1 enter on base 2 of the gear on P11 and turns it to look E. Then `G4@P12(b=0)-90` turns P12 clockwise and P11, its neighbour, the other way: M1_P1 now looks N at a free base that looks back, and jumps to P12 for +10.",
]);

export const state: Fragment = fragment("core.state", "What you are shown", [
  "You get the state as JSON. `meta` has `turn` (turns played so far), `max_moves`, `turns_left`, `current_player`, `dimensions`, `format`, `level_id`, `phase`.",
  "`data.board_encoding` has every tile: `P13R` is free, `obstacle` is one, and `G3P32L3B2001` is a gear: its type, its tile, the tile's kind, its b (here 3), and behind the B one digit for each base k = 0, 1, 2, 3: 2 there is no such base, 0 it is free, 1 a mouse sits there.", // R13.1
  "`data.mice` has every mouse by name, `M<lane>_<player>`: `owner`, `status`, `pos` (the tile, the place outside, or OUT), `x`, `y`, `on_base` (the k of its base, which turns with the gear) and `facing` (the direction it looks in: b + k mod 4). The last two are null unless it is IN_PLAY.", // R3.3-R3.5
  "`data.gear_owners` says who placed each gear; a gear stays its owner's. `data.inventories` has what each player still has in stock, `data.inventory` your own.", // R2.6
  "Your network is every block that holds at least one gear of yours, gears of others in it included.", // R2.6
  "`data.history` has one line for each turn, such as `Turn 1 [P1]: G4@P21(b=0)-90`. `scoring.scores` has the points so far.", // R13.2
]);

export const strategy: Fragment = fragment("core.strategy", "How to think", [
  "While you have gears in stock you can only place; when the last one is placed you can only turn what lies there, for good. Place with the later turns in mind.", // R4.2
  "A jump needs two bases that face each other: the one under the mouse and a free one beyond. Before you choose, turn the block in your head: your gear's kind by d, the other kind by -d.", // R6.2
  "G4 has a base in every direction and can always take a mouse from any side while that base is free; G1 can only take one, from where its base points.", // R2.1
  "A placement changes the block twice over: the new gear may join blocks that were apart, and then all of it turns at once.", // R5.2, R5.3
  "A pre-move changes the b of one gear alone, without its block. It is the only way to change how two neighbours stand to each other once your stock is empty.", // R5.2
  "A turn moves every mouse of the block, also those you did not think of: look at all of them, and at what a +90 and a -90 would do, before you decide.",
]);

export const protocol: Fragment = fragment("core.protocol", "How to answer", [
  "Place (only while you have stock): `G<1-4>@<tile>(b=<0-3>)<+90|-90>` puts down a gear of that type with that b, then turns its block. Example: `G4@P21(b=0)-90`.", // R4.1, R4.2
  "Turn (only once your stock is empty): `G@<tile><+90|-90>` turns the block of the gear on that tile. Example: `G@P21+90`.",
  "Turn with a pre-move: `G@<tile>:b=<0-3> ; G@<tile><+90|-90>` first sets the b of one gear, then turns a block. Both tiles hold gears of your network; they may be the same. Example: `G@P11:b=2 ; G@P21+90`.", // R4.4
  "A gear is placed on a free tile that is no obstacle: your first on your start edge, every later one next to a gear of your network.", // R4.3
  "The command is written exactly so, capitals included, with nothing before or after it and no blanks except around the `;`.", // R4.1
  'Answer with one JSON object and nothing else: {"command": "<your command>", "reasoning": "<why, in one or two sentences>"}.',
]);
