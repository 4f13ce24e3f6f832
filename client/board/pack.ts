/** Where pictures lie on one sheet: shelves, the tallest first. Pure numbers in pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Placed<T extends Box> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
}

/** Puts every box on a sheet `width` pixels wide with `gap` pixels around each. Throws RangeError when one is wider. */
export function pack<T extends Box>(
  items: readonly T[],
  width: number,
  gap: number,
): { placed: Placed<T>[]; height: number } {
  const placed: Placed<T>[] = [];
  let x = gap;
  let y = gap;
  let shelf = 0;
  for (const item of [...items].sort((a, b) => b.height - a.height)) {
    if (item.width + 2 * gap > width) throw new RangeError(`a picture of ${item.width} pixels on a sheet of ${width}`);
    if (x + item.width + gap > width) {
      x = gap;
      y += shelf + gap;
      shelf = 0;
    }
    placed.push({ item, x, y });
    x += item.width + gap;
    shelf = Math.max(shelf, item.height);
  }
  return { placed, height: y + shelf + gap };
}
