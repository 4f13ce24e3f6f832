/** A Lua script as the client library wants it: sent by its hash, and in full when the server does not know it. */
import { type CommandParser, defineScript } from "redis";

/** `R` is what the script returns; its source is the only authority on that. */
export function script<R>(source: string) {
  return defineScript({
    SCRIPT: source,
    parseCommand(parser: CommandParser, keys: readonly string[], args: readonly string[]) {
      parser.pushKeysLength([...keys]);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => reply as R,
  });
}
