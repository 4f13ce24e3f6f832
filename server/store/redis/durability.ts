/** What the Redis server promises, said once at the start so that nobody believes more. */
import type { Reporter } from "../../../rooms/ports.ts";
import type { Link } from "./link.ts";

/** Reports what may lose matches. A server that tells nothing of its settings (many hosted ones) is noted as such. */
export async function tellDurability(link: Link, report: Reporter): Promise<void> {
  let settings: Readonly<Record<string, string>>;
  try {
    settings = await link.run((redis) => redis.configGet(["appendonly", "appendfsync", "maxmemory-policy"]));
  } catch {
    report.info("Redis does not tell its settings; matches are as safe as it keeps them", {});
    return;
  }
  const { appendonly, appendfsync, "maxmemory-policy": policy } = settings;
  report.info("durability of Redis", { appendonly, appendfsync, policy });
  for (const problem of problemsOf(settings)) report.error(new Error(problem), { at: "store.durability" });
}

/** Exported for tests. */
export function problemsOf(settings: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  if (settings.appendonly !== "yes") problems.push("Redis runs without appendonly: matches are lost when it ends");
  else if (settings.appendfsync !== "always") {
    problems.push(`Redis runs with appendfsync ${settings.appendfsync}: its answers are ahead of its disk; set always`);
  }
  const policy = settings["maxmemory-policy"];
  if (policy !== undefined && policy !== "noeviction") {
    problems.push(`Redis runs with maxmemory-policy ${policy}: it may throw matches away; set noeviction`);
  }
  return problems;
}
