/** Work that waits for nobody: one step after another, tried again when the disk refuses, stopped between steps. */
export interface BackgroundOptions {
  /** Does one step; resolves with whether there may be more to do. */
  readonly step: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
  readonly retryMs: number;
}

export class Background {
  readonly #options: BackgroundOptions;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #again = false;
  #stopped = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** There is work, to be begun after `delayMs`. */
  wake(delayMs = 0): void {
    this.#again = true;
    if (this.#stopped || this.#running !== null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#run().finally(() => {
        this.#running = null;
        if (this.#again) this.wake();
      });
    }, delayMs).unref();
  }

  /** Resolves when the step at work has ended; no other begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (await this.#options.step()) this.#again = true;
      } catch (error) {
        if (this.#stopped) return;
        this.#options.onError(error);
        this.#running = null;
        return this.wake(this.#options.retryMs);
      }
    }
  }
}
