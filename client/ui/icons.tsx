/** Small drawings as SVG: the gears and marks are those of the board. */

import type { GearType, PlayerId, Quarter } from "../../shared/engine/types.ts";
import { markInk, markPath } from "../board/art.ts";
import { BASES } from "../board/model.ts";
import { METAL, OUTLINE, PLAYER_COLOURS } from "../board/palette.ts";
import { gearPath, MOUSE, type Parity, seatPath } from "../board/shape.ts";
import { same } from "./same.ts";

interface GearIconProps {
  type: GearType;
  b?: Quarter;
  parity?: Parity;
  owner?: PlayerId;
  size?: number;
}

/** The shapes of one gear around the origin, in tiles, for any SVG. */
export function GearShapes({ type, b = 0, parity = "R", owner }: GearIconProps) {
  const metal = METAL[parity];
  return (
    <g transform={`rotate(${-90 * b})`}>
      <path d={gearPath(parity)} fill={metal.mid} stroke={metal.edge} stroke-width=".03" />
      <circle r=".385" fill={metal.face} stroke={metal.groove} stroke-width=".02" />
      {([0, 1, 2, 3] as const).map((k) =>
        BASES[type].includes(k) ? (
          <path
            key={k}
            d={seatPath()}
            transform={`rotate(${-90 * k})`}
            fill="#1b1915"
            stroke={metal.edge}
            stroke-width=".03"
          />
        ) : (
          <circle key={k} r=".03" cy="-.29" transform={`rotate(${-90 * k})`} fill={metal.groove} />
        ),
      )}
      <circle r=".105" fill={owner ? PLAYER_COLOURS[owner] : metal.groove} stroke={OUTLINE} stroke-width=".025" />
    </g>
  );
}

export const GearIcon = same(({ size = 44, ...gear }: GearIconProps) => (
  <svg class="gear-icon" width={size} height={size} viewBox="-.6 -.6 1.2 1.2" aria-hidden="true">
    <GearShapes {...gear} />
  </svg>
));

/** A player's colour and shape. */
export const Mark = same(({ player, size = 22 }: { player: PlayerId; size?: number }) => (
  <svg class="mark" width={size} height={size} viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
    <circle r=".98" fill={PLAYER_COLOURS[player]} stroke={OUTLINE} stroke-width=".16" />
    <path d={markPath(player, 0.5)} fill={markInk(player)} />
  </svg>
));

/** A mouse seen from above, nose up; hollow while it is not home. */
export const MouseIcon = same(drawMouse);

function drawMouse({ player, home = true, size = 20 }: { player: PlayerId; home?: boolean; size?: number }) {
  const fill = home ? PLAYER_COLOURS[player] : "none";
  return (
    <svg
      class={home ? "mouse-icon" : "mouse-icon hollow"}
      width={size}
      height={size}
      viewBox="-.6 -.6 1.2 1.3"
      aria-hidden="true"
    >
      <g stroke={home ? OUTLINE : "currentColor"} stroke-width=".09" stroke-linejoin="round" stroke-linecap="round">
        <path d={MOUSE.tail} fill="none" />
        {MOUSE.ears.map((ear) => (
          <circle key={ear.x} cx={ear.x} cy={ear.y} r={MOUSE.earRadius} fill={fill} />
        ))}
        <path d={MOUSE.body} fill={home ? fill : "var(--surface)"} />
      </g>
      {home && (
        <>
          {MOUSE.ears.map((ear) => (
            <circle key={ear.x} cx={ear.x} cy={ear.y} r={MOUSE.earRadius * 0.55} fill="#f6c4b8" />
          ))}
          {MOUSE.eyes.map((eye) => (
            <circle key={eye.x} cx={eye.x} cy={eye.y} r=".048" fill={OUTLINE} />
          ))}
          <circle cx={MOUSE.nose.x} cy={MOUSE.nose.y + 0.02} r=".05" fill="#e98f85" />
          <path d={markPath(player, 0.14)} transform="translate(0 .12)" fill={markInk(player)} />
        </>
      )}
    </svg>
  );
}

/** The sign of the house: a mouse in a gear. */
export function Logo({ size = 34 }: { size?: number }) {
  return (
    <svg class="logo" width={size} height={size} viewBox="-.6 -.6 1.2 1.2" aria-hidden="true">
      <path d={gearPath("R")} fill="#dba745" stroke="#6b4713" stroke-width=".03" />
      <circle r=".37" fill="#241d14" />
      <g transform="translate(0 .02) scale(.56)" stroke-linejoin="round">
        <path d={MOUSE.tail} fill="none" stroke="#f0b9ad" stroke-width=".08" stroke-linecap="round" />
        {MOUSE.ears.map((ear) => (
          <circle key={ear.x} cx={ear.x} cy={ear.y} r={MOUSE.earRadius} fill="#f4ead6" />
        ))}
        <path d={MOUSE.body} fill="#f4ead6" />
        {MOUSE.ears.map((ear) => (
          <circle key={ear.x} cx={ear.x} cy={ear.y} r={MOUSE.earRadius * 0.5} fill="#f0b9ad" />
        ))}
        {MOUSE.eyes.map((eye) => (
          <circle key={eye.x} cx={eye.x} cy={eye.y} r=".05" fill="#241d14" />
        ))}
        <circle cx={MOUSE.nose.x} cy={MOUSE.nose.y} r=".055" fill="#e98f85" />
      </g>
    </svg>
  );
}

const PATHS = {
  left: "M12 4.5a7.5 7.5 0 1 1-7.4 8.7M4.2 4.6v5h5",
  right: "M12 4.5a7.5 7.5 0 1 0 7.4 8.7M19.8 4.6v5h-5",
  copy: "M9 9h10v11H9zM15 9V5H5v11h4",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.6M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z",
  flag: "M5 21V4M5 4.5c4-2.4 7 2.4 13.5.4v8.6c-6.5 2-9.5-2.8-13.5-.4",
  help: "M12 3.2a8.8 8.8 0 1 1 0 17.6 8.8 8.8 0 0 1 0-17.6ZM9.4 9.6a2.7 2.7 0 1 1 3.9 2.4c-.9.5-1.3 1-1.3 2M12 17.2v.1",
  refresh: "M20 5v5h-5M4 19v-5h5M19.4 10A8 8 0 0 0 5.6 7.2M4.6 14a8 8 0 0 0 13.8 2.8",
  close: "M6 6l12 12M18 6 6 18",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a7.6 7.6 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  sun: "M12 7.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z",
  auto: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 3.5v17",
  contrast:
    "M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17ZM12 3.500v17M12 6.500h5M12 9.500h7.500M12 12.500h8M12 15.500h7M12 18.500h4",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2",
  bot: "M6 9h12v9H6zM12 9V5.5M9.5 12.7v1.2M14.5 12.7v1.2M3.5 12v3M20.5 12v3M12 5.4v-.1",
  person: "M12 4.5a3.7 3.7 0 1 1 0 7.4 3.7 3.7 0 0 1 0-7.4ZM5 20c.6-3.8 3.400-5.600 7-5.600s6.400 1.800 7 5.600",
  play: "M8 5.500v13l10.500-6.500Z",
  first: "M17.500 5.500 11 12l6.500 6.500M6.500 5.500v13",
  next: "M9.500 5.500 16 12l-6.500 6.500",
  last: "M6.500 5.500 13 12l-6.500 6.500M17.500 5.500v13",
  back: "M14.500 5.500 8 12l6.500 6.500",
  pencil: "M5 19l.8-3.800L15.600 5.400l3 3L8.800 18.200ZM13.500 7.500l3 3",
  thought: "M4 5.500h16v10.500h-8l-4.500 4v-4H4ZM8 9.300h8M8 12.300h5",
  share: "M12 15V3.500M8 7l4-4 4 4M6 11.500H4.500V21h15v-9.500H18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  warn: "M12 4.500 21 19.500H3ZM12 10v4.500M12 17v.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.9"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
