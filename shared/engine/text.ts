import { type Command, GEAR_TYPES, type Quarter, type Result, type Size, type TileLabel, type Turn } from "./types.ts";

/** R4.1: longer commands are not read. */
export const MAX_COMMAND_CODE_POINTS = 64;

const PLACEMENT = /^G([1-4])@P([0-9]{2,4})(?:\(b=([0-3])\))?([+-])90$/;
const ROTATION = /^(?:G@P([0-9]{2,4}):b=([0-3]) *; *)?G@P([0-9]{2,4})([+-])90$/;
const TILE = /^P([0-9]{2,4})$/;

/** A command whose form is right; its tiles may not exist. `digits` are those behind the P. */
export type RawCommand =
  | { readonly type: "place"; readonly gear: number; readonly digits: string; readonly b: Quarter; readonly turn: Turn }
  | {
      readonly type: "rotate";
      readonly digits: string;
      readonly turn: Turn;
      readonly premove: { readonly digits: string; readonly b: Quarter } | null;
    };

/** Reads the form alone (R4.1), or null: which tiles there are is asked after the phase (R4.5). */
export function parseForm(text: string): RawCommand | null {
  if (isTooLong(text)) return null;
  const placement = PLACEMENT.exec(text);
  if (placement !== null) {
    const [, gear, digits, b, sign] = placement;
    return { type: "place", gear: Number(gear), digits: digits!, b: quarter(b ?? "0"), turn: turnOf(sign!) };
  }
  const rotation = ROTATION.exec(text);
  if (rotation !== null) {
    const [, first, b, digits, sign] = rotation;
    const premove = first === undefined ? null : { digits: first, b: quarter(b!) };
    return { type: "rotate", digits: digits!, turn: turnOf(sign!), premove };
  }
  return null;
}

/** Reads a command for a board of that size (R4.1). */
export function parseCommand(text: string, size: Size): Result<Command, "syntax" | "no_such_tile"> {
  const raw = parseForm(text);
  if (raw === null) return { ok: false, code: "syntax", message: SYNTAX_HELP };
  const digits = raw.type === "rotate" && raw.premove !== null ? [raw.premove.digits, raw.digits] : [raw.digits];
  const unknown = digits.find((each) => readDigits(each, size) === null);
  if (unknown !== undefined) return { ok: false, code: "no_such_tile", message: noSuchTile(`P${unknown}`, size) };
  const tile: TileLabel = label(raw.digits);
  if (raw.type === "place") {
    return { ok: true, value: { type: "place", gear: GEAR_TYPES[raw.gear - 1]!, tile, b: raw.b, turn: raw.turn } };
  }
  const premove = raw.premove === null ? null : { tile: label(raw.premove.digits), b: raw.premove.b };
  return { ok: true, value: { type: "rotate", tile, turn: raw.turn, premove } };
}

/** The canonical form (R4.1): b always written, one blank on each side of `;`. */
export function makeCommand(command: Command): string {
  const turn = command.turn === 90 ? "+90" : "-90";
  if (command.type === "place") return `${command.gear}@${command.tile}(b=${command.b})${turn}`;
  const premove = command.premove === null ? "" : `G@${command.premove.tile}:b=${command.premove.b} ; `;
  return `${premove}G@${command.tile}${turn}`;
}

/** Reads a tile label against the board's bounds (R1.1). */
export function parseTile(
  text: string,
  size: Size,
): Result<{ readonly x: number; readonly y: number }, "syntax" | "no_such_tile"> {
  const match = TILE.exec(text);
  if (match === null) {
    return { ok: false, code: "syntax", message: "A tile is P followed by its column and row, for example P12." };
  }
  const place = readDigits(match[1]!, size);
  if (place === null) return { ok: false, code: "no_such_tile", message: noSuchTile(text, size) };
  return { ok: true, value: place };
}

/** `P<x><y>`, without leading zeros (R1.1). */
export function makeTile(x: number, y: number): TileLabel {
  return `P${x}${y}` as TileLabel;
}

/** The history's form of a refused text (R8.2): 64 code points, all but U+0020..U+007E replaced. */
export function cleanText(text: string): string {
  const points = Array.from(text.slice(0, 2 * MAX_COMMAND_CODE_POINTS)).slice(0, MAX_COMMAND_CODE_POINTS);
  return points.map((point) => (point >= " " && point <= "~" ? point : "\uFFFD")).join("");
}

export const SYNTAX_HELP =
  "Write G<1-4>@<tile>(b=<0-3>)<+90|-90>, G@<tile><+90|-90> or G@<tile>:b=<0-3> ; G@<tile><+90|-90>.";

export function noSuchTile(tile: string, size: Size): string {
  const last = makeTile(size.width, size.height);
  return `${tile} is not on this ${size.width}x${size.height} board: tiles run from P11 to ${last}.`;
}

function isTooLong(text: string): boolean {
  if (text.length <= MAX_COMMAND_CODE_POINTS) return false;
  if (text.length > 2 * MAX_COMMAND_CODE_POINTS) return true;
  return Array.from(text).length > MAX_COMMAND_CODE_POINTS;
}

/** The only way to cut the digits into a column and a row of this board, or null. */
function readDigits(digits: string, size: Size): { readonly x: number; readonly y: number } | null {
  for (let cut = 1; cut < digits.length; cut++) {
    if (digits[0] === "0" || digits[cut] === "0") continue; // R1.1: no leading zeros
    const x = Number(digits.slice(0, cut));
    const y = Number(digits.slice(cut));
    if (x <= size.width && y <= size.height) return { x, y };
  }
  return null;
}

const label = (digits: string): TileLabel => `P${digits}` as TileLabel;
const quarter = (text: string): Quarter => Number(text) as Quarter;
const turnOf = (sign: string): Turn => (sign === "+" ? 90 : -90);
