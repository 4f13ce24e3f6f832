/**
 * Counters that the processes of one installation share, in Redis. Redis decides nothing else here: when it is away or
 * slow every process counts for itself, and nobody waits long.
 */
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from "rate-limiter-flexible";
import type { Link } from "./store/redis/link.ts";

/** A caller waits at most so long for a count; then this process' own holds. */
const ANSWER_MS = 250;
/** After a failure Redis is not asked again for so long. */
const REST_MS = 1_000;
/** A process tells what it has counted when it is this part of what a caller may do. */
const TOLD_PART = 20;
/** Callers of whom something untold is kept. */
const MAX_UNTOLD = 50_000;

type Options = Required<Pick<IRateLimiterOptions, "keyPrefix" | "points" | "duration">>;
type Limiter = Pick<RateLimiterAbstract, "consume">;

export interface SharedLimiters {
  /** Asks Redis each time: exact over all processes. */
  together(options: Options): Limiter;
  /** Decides by what is known here, and learns of the others': nobody waits, and each process may be a twentieth over. */
  later(options: Options): Limiter;
}

export function sharedLimiters(link: Pick<Link, "run">, prefix: string): SharedLimiters {
  const storeClient = boundedClient(link);
  const inRedis = ({ keyPrefix, points, duration }: Options, insuranceLimiter?: RateLimiterMemory) =>
    new RateLimiterRedis({
      storeClient,
      useRedisPackage: true,
      keyPrefix: `${prefix}limit:${keyPrefix}`,
      points,
      duration,
      // Who has used everything up is refused without asking again.
      inMemoryBlockOnConsumed: points,
      ...(insuranceLimiter ? { insuranceLimiter } : {}),
    });
  return {
    together: (options) => inRedis(options, new RateLimiterMemory(options)),
    later: (options) => new LaterLimiter(new RateLimiterMemory(options), inRedis(options), options),
  };
}

/** What the limiter needs of a client: its one script, by the bounded connection. */
function boundedClient(link: Pick<Link, "run">) {
  let restsUntil = 0;
  return {
    async eval(script: string, given: { keys: string[]; arguments: string[] }): Promise<unknown> {
      if (performance.now() < restsUntil) throw new Error("Redis did not answer just now");
      const asked = link.run((client) => client.eval(script, given));
      // It may come later than anybody waits for.
      asked.catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("Redis does not answer")), ANSWER_MS);
      });
      try {
        return await Promise.race([asked, late]);
      } catch (error) {
        restsUntil = performance.now() + REST_MS;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

class LaterLimiter implements Limiter {
  readonly #here: RateLimiterMemory;
  readonly #everywhere: Pick<RateLimiterAbstract, "penalty">;
  readonly #points: number;
  readonly #untold = new Map<string, number>();

  constructor(here: RateLimiterMemory, everywhere: Pick<RateLimiterAbstract, "penalty">, { points }: Options) {
    this.#here = here;
    this.#everywhere = everywhere;
    this.#points = points;
  }

  async consume(key: string, points = 1): Promise<RateLimiterRes> {
    const result = await this.#here.consume(key, points);
    const untold = (this.#untold.get(key) ?? 0) + points;
    if (untold < this.#points / TOLD_PART) {
      this.#untold.set(key, untold);
      // Those who do little are forgotten first; they are far from any bound.
      if (this.#untold.size > MAX_UNTOLD) for (const first of this.#untold.keys()) return this.#forget(first, result);
      return result;
    }
    this.#untold.delete(key);
    void this.#tell(key, untold);
    return result;
  }

  #forget(key: string, result: RateLimiterRes): RateLimiterRes {
    this.#untold.delete(key);
    return result;
  }

  async #tell(key: string, points: number): Promise<void> {
    try {
      const { consumedPoints, msBeforeNext } = await this.#everywhere.penalty(key, points);
      if (consumedPoints >= this.#points) await this.#here.block(key, Math.max(1, msBeforeNext / 1_000));
    } catch {
      // Then it counts here alone.
    }
  }
}
