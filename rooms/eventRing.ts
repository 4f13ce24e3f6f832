/** The last broadcast events of a match, for clients that come back (`sync`, PROTOCOL 5). */
import type { EventMessage } from "../shared/protocol/messages.ts";

const KEPT = 64;

export class EventRing {
  #kept: EventMessage[] = [];

  add(message: EventMessage): void {
    this.#kept.push(message);
    if (this.#kept.length > KEPT) this.#kept.shift();
  }

  /** All messages after `version`, in order; null when some of them are no longer kept (or never were). */
  since(version: number, newest: number): readonly EventMessage[] | null {
    const found = this.#kept.filter((m) => m.version > version);
    const versions = new Set(found.map((m) => m.version));
    return version < newest && versions.size === newest - version ? found : null;
  }
}
