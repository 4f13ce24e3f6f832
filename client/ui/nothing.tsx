/** A page on which there is nothing to be seen: what is the matter, and the way back. */
import type { ComponentChildren } from "preact";
import { markInk, markPath } from "../board/art.ts";
import { OUTLINE, PLAYER_COLOURS } from "../board/palette.ts";
import { MOUSE } from "../board/shape.ts";
import { GearShapes } from "./icons.tsx";
import { TopBar } from "./topbar.tsx";

export function Nothing({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="page plain">
      <TopBar />
      <main class="empty nothing">
        <Stranded />
        <h1>{title}</h1>
        {children}
        <p>
          <a class="button primary" href="/">
            Back to the Playroom
          </a>
        </p>
      </main>
    </div>
  );
}

/** Two gears too far apart to mesh, and a mouse with nowhere to jump. */
function Stranded() {
  return (
    <svg class="stranded" viewBox="-1.5 -.85 3.4 1.6" width="272" height="128" aria-hidden="true">
      <g transform="translate(-.62 0) rotate(8)">
        <GearShapes type="G2" b={1} parity="R" />
      </g>
      <g transform="translate(1.1 .06) rotate(-14)" opacity=".55">
        <GearShapes type="G1" b={1} parity="L" />
      </g>
      <path
        d="M.02-.02C.2-.34 .5-.36 .62-.16"
        fill="none"
        stroke="var(--accent-line)"
        stroke-width=".035"
        stroke-dasharray=".07 .07"
        stroke-linecap="round"
      />
      <g
        transform="translate(-.13 .03) rotate(98) scale(.4)"
        stroke={OUTLINE}
        stroke-width=".085"
        stroke-linejoin="round"
        stroke-linecap="round"
      >
        <path d={MOUSE.tail} fill="none" />
        {MOUSE.ears.map((ear) => (
          <circle key={ear.x} cx={ear.x} cy={ear.y} r={MOUSE.earRadius} fill={PLAYER_COLOURS.P1} />
        ))}
        <path d={MOUSE.body} fill={PLAYER_COLOURS.P1} />
        {MOUSE.eyes.map((eye) => (
          <circle key={eye.x} cx={eye.x} cy={eye.y} r=".02" fill={OUTLINE} />
        ))}
        <path d={markPath("P1", 0.12)} transform="translate(0 .12)" fill={markInk("P1")} stroke="none" />
      </g>
    </svg>
  );
}
