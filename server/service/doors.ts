/** Through which door a call came, for those who count. */
import type { MatchService } from "./MatchService.ts";

export const DOORS = ["http", "a2a", "sdk", "socketio", "mcp", "colyseus"] as const;
export type Door = (typeof DOORS)[number];

/** Begins to time a command; what it gives is to be called with `ok` or the code of the refusal. */
export type CommandTimer = (door: Door) => (code: string) => void;

export const untimed: CommandTimer = () => () => {};

/** The same service, whose moves say that they came through `door`; without one, they came by HTTP. */
export function ofDoor(service: MatchService, door: Door): MatchService {
  return { ...service, move: (caller, ...rest) => service.move({ ...caller, door }, ...rest) };
}
