/** One thing after another: the queue of a match (PROTOCOL 2). */

/** How many commands may wait at once; more is a flood. */
const MAX_WAITING = 1_024;

export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

export class CommandQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Runs `work` when all that was put in before is done; what becomes of those does not matter to it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) return Promise.reject(new QueueFull("too many commands are waiting"));
    this.#waiting++;
    const done = this.#tail.then(work);
    this.#tail = done.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return done;
  }

  /** Resolves when what has been put in so far is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
