/** Polls until `ready` gives something other than null, undefined or false; rejects after `withinMs`. */
export async function until<T>(what: string, ready: () => Promise<T> | T, withinMs = 30_000): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const got = await ready();
    if (got !== null && got !== undefined && got !== false) return got as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
