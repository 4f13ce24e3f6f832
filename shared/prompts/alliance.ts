/** With whom a player of the Arena plays, and how sides are compared (R3.1, R10.4, R10.5). */
import { type Fragment, fragment, type Reader } from "./fragment.ts";

const TEAM = [
  "Team efficiency = ((both scores added) x (mice of both that escaped)) / (4 x mice of one player). The better team wins, and both of its players with it: a point for your ally is a point for you.", // R10.4, R10.5
  "Your gears stay yours and your ally's stay theirs: you may turn only blocks that hold a gear of your own.", // R4.4
];

export const ffa: Fragment = fragment("alliance.ffa", "Everybody alone", [
  "Every other player is your rival. The greatest efficiency wins; where it is equal, the greater score; players still in come before players who are out.", // R10.5
]);

const teamA: Fragment = fragment("alliance.team_a", "Team A", [
  "P1 and P2 are team A, your team; P3 and P4 are team B.", // R3.1
  ...TEAM,
]);

const teamB: Fragment = fragment("alliance.team_b", "Team B", [
  "P3 and P4 are team B, your team; P1 and P2 are team A.", // R3.1
  ...TEAM,
]);

export function alliance({ player, ally }: Reader): Fragment {
  if (ally === null) return ffa;
  return player === "P1" || player === "P2" ? teamA : teamB;
}
