import fc from "fast-check";
import { expect, test } from "vitest";
import { pack } from "./pack.ts";

const box = fc.record({ width: fc.integer({ min: 1, max: 200 }), height: fc.integer({ min: 1, max: 200 }) });

test("no two pictures touch and all lie on the sheet", () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 40 }), (items) => {
      const { placed, height } = pack(items, 512, 2);
      expect(placed).toHaveLength(items.length);
      for (const [i, a] of placed.entries()) {
        expect(a.x >= 2 && a.x + a.item.width + 2 <= 512 && a.y >= 2 && a.y + a.item.height + 2 <= height).toBe(true);
        for (const b of placed.slice(i + 1)) {
          const apart =
            a.x + a.item.width < b.x ||
            b.x + b.item.width < a.x ||
            a.y + a.item.height < b.y ||
            b.y + b.item.height < a.y;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});

test("a picture wider than the sheet is refused", () => {
  expect(() => pack([{ width: 600, height: 2 }], 512, 2)).toThrow(RangeError);
});
