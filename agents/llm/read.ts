/** Reads a model's answer tolerantly, and the command in it strictly: what stands there is what is played. */

export interface ReadAnswer {
  readonly command: string;
  readonly reasoning: string;
}

/** Of longer answers the end is read. */
const READ = 100_000;
/** Places at which an object may begin that are tried. */
const TRIES = 400;

/**
 * The last JSON object with a `command` in it: in code fences, with text around it, behind thinking tags, with trailing
 * commas, or cut short behind its command. Null when there is none.
 */
export function readAnswer(text: string): ReadAnswer | null {
  const said = withoutThinking(text.slice(-READ));
  let at = said.length;
  for (let tries = 0; tries < TRIES; tries++) {
    at = at > 0 ? said.lastIndexOf("{", at - 1) : -1;
    if (at < 0) return null;
    const found = answerIn(said, at);
    if (found !== null) return found;
  }
  return null;
}

const THINKING = /<(\/?)(?:think(?:ing)?|thought|reasoning|scratchpad)>/gi;

/** What is said outside the tags in which models think aloud; a tag that is only closed was opened before the answer. */
function withoutThinking(text: string): string {
  let said = "";
  let from = 0;
  let thinking = false;
  for (const { 0: tag, 1: slash, index } of text.matchAll(THINKING)) {
    if (slash === "") {
      if (!thinking) said += text.slice(from, index);
      thinking = true;
      continue;
    }
    if (!thinking) said = "";
    thinking = false;
    from = index + tag.length;
  }
  return thinking ? said : said + text.slice(from);
}

function answerIn(text: string, from: number): ReadAnswer | null {
  const end = endOfObject(text, from);
  if (end === null) return cutAnswer(text.slice(from));
  const json = text.slice(from, end);
  const parsed = parsedJson(json) ?? parsedJson(withoutTrailingCommas(json));
  return parsed === null ? null : answerOf(parsed);
}

function answerOf(value: object): ReadAnswer | null {
  const fields = new Map(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field as unknown]));
  const command = fields.get("command");
  if (typeof command !== "string") return null;
  const reasoning = fields.get("reasoning");
  return { command, reasoning: typeof reasoning === "string" ? reasoning : "" };
}

function parsedJson(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Where the object that begins at `from` ends, strings skipped; null when it does not. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      i = endOfString(text, i);
    } else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return null;
}

/** The index of the quote that closes the string opened at `from`; the text's length when none does. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

function withoutTrailingCommas(json: string): string {
  let out = "";
  for (let i = 0; i < json.length; i++) {
    if (json[i] === '"') {
      const end = endOfString(json, i);
      out += json.slice(i, end + 1);
      i = end;
    } else if (json[i] !== "," || !/^\s*[}\]]/.test(json.slice(i + 1, i + 64))) out += json[i];
  }
  return out;
}

/** An object without an end: its command counts when that is whole. */
function cutAnswer(text: string): ReadAnswer | null {
  const found = /^\{\s*(?:"reasoning"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*)?"command"\s*:\s*("(?:[^"\\]|\\.)*")/i.exec(
    text,
  );
  const [, reasoning = '""', command = ""] = found ?? [];
  if (found === null) return null;
  const fields = parsedJson(`[${command},${reasoning}]`);
  return Array.isArray(fields) ? { command: String(fields[0]), reasoning: String(fields[1]) } : null;
}
