/** Bytes to lines, with a limit on the length of a line and without ever holding more than one line. */

/** A line of UTF-8 text without its newline, or what is left of one that was longer than the limit. */
export type Line = { readonly text: string } | { readonly tooLong: true };

const NEWLINE = 0x0a;

/** Splits a stream of chunks into lines of at most `maxBytes` bytes; longer ones are reported once and dropped. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder("utf-8");
  #parts: Uint8Array[] = [];
  #length = 0;
  #dropping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that this chunk completes. */
  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      this.#keep(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      yield this.#take();
      from = end + 1;
    }
  }

  /** The last line, when the stream ended without a newline. */
  *end(): Generator<Line> {
    if (this.#length > 0 || this.#dropping) yield this.#take();
  }

  #keep(part: Uint8Array): void {
    if (this.#dropping || part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#maxBytes) {
      this.#parts = [];
      this.#dropping = true;
    } else {
      this.#parts.push(part);
    }
  }

  #take(): Line {
    const line: Line = this.#dropping
      ? { tooLong: true }
      : { text: this.#decoder.decode(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)) };
    this.#parts = [];
    this.#length = 0;
    this.#dropping = false;
    return line;
  }
}
