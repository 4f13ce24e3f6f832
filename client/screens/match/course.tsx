/** The course of a match beside its result: two charts, and the same numbers as a table. Loaded when it is looked at. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { PLAYER_COLOURS } from "../../board/palette.ts";
import { type Course, courseOf } from "../../store/course.ts";
import type { Session } from "../../store/session.ts";
import { theme } from "../../store/theme.ts";
import { isWhole } from "../../store/timeline.ts";
import { Mark } from "../../ui/icons.tsx";
import { playerName } from "../../ui/words.ts";

interface CourseProps {
  session: Session;
  state: NativeState;
  /** A turn was chosen in a chart or in the table. */
  onTurn: (turn: number) => void;
}

export function CourseOfMatch({ session, state, onTurn }: CourseProps) {
  const frames = session.frames.value;
  const whole = isWhole(frames, state.meta.turn);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = () => {
    setProblem(null);
    session.recall().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  useEffect(() => {
    if (!whole || !session.told.value) ask();
  }, [whole]);
  const players = Object.keys(state.status.players) as PlayerId[];
  const course = useMemo(() => courseOf(frames, players), [frames]);
  const [at, setAt] = useState<number | null>(null);
  if (!whole) {
    return problem === null ? (
      <p class="note">Fetching the course of the match…</p>
    ) : (
      <p class="note">
        The course of the match could not be had: {problem}{" "}
        <button type="button" class="button small" onClick={ask}>
          Try again
        </button>
      </p>
    );
  }
  if (course.turns.length < 2) return null;
  const index = at ?? course.turns.length - 1;
  return (
    <section class="course" aria-label="Course of the match">
      <div class="charts">
        <Chart title="Points" course={course} rows={course.scores} index={index} onAt={setAt} onTurn={onTurn} />
        <Chart
          title="Mice home"
          course={course}
          rows={course.rescued}
          index={index}
          stepped
          onAt={setAt}
          onTurn={onTurn}
        />
      </div>
      <p class="note course-hint">
        {at === null ? "A click on a chart shows the board of that turn." : `Turn ${course.turns[index]}`}
      </p>
      <details>
        <summary>The same as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key. */}
        <section class="course-table" tabIndex={0} aria-label="Points and mice home by turn">
          <table>
            <thead>
              <tr>
                <th scope="col">Turn</th>
                {players.map((p) => (
                  <th key={p} scope="col">
                    {playerName(state, p)}
                    <small> points, home</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {course.turns.map((turn, i) => (
                <tr key={turn}>
                  <th scope="row">
                    <button
                      type="button"
                      class="link-button"
                      onClick={() => onTurn(turn)}
                      aria-label={`Show turn ${turn}`}
                    >
                      {turn}
                    </button>
                  </th>
                  {players.map((p, n) => (
                    <td key={p}>
                      {course.scores[n]?.[i]}, {course.rescued[n]?.[i]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}

interface ChartProps {
  title: string;
  course: Course;
  rows: readonly (readonly number[])[];
  /** Whose numbers stand in the legend. */
  index: number;
  stepped?: boolean;
  onAt: (index: number | null) => void;
  onTurn: (turn: number) => void;
}

const HEIGHT = 168;

function Chart({ title, course, rows, index, stepped = false, onAt, onTurn }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef({ onAt, onTurn });
  now.current = { onAt, onTurn };
  const dark = theme.value;
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(options(course, stepped, element.clientWidth, now.current), data(course, rows), element);
    const pick = () => {
      const turn = plot.cursor.idx == null ? undefined : course.turns[plot.cursor.idx];
      if (turn !== undefined) now.current.onTurn(turn);
    };
    plot.over.addEventListener("click", pick);
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [course, rows, dark]);
  return (
    <figure class="chart" data-chart={title}>
      <figcaption>
        <b>{title}</b>
        <span class="chart-legend">
          {course.players.map((p, n) => (
            <span key={p}>
              <Mark player={p} size={15} /> {rows[n]?.[index]}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={place} class="chart-place" aria-hidden="true" />
    </figure>
  );
}

/** Every line twice: its outline under it, so that yellow shows on white and blue on black. */
function data(course: Course, rows: readonly (readonly number[])[]): uPlot.AlignedData {
  return [[...course.turns], ...rows.map((row) => [...row]), ...rows.map((row) => [...row])];
}

function options(course: Course, stepped: boolean, width: number, on: Pick<ChartProps, "onAt">): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim();
  const soft = style.getPropertyValue("--ink-2").trim();
  const line = style.getPropertyValue("--line").trim();
  const paths = stepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  const base = { points: { show: false }, ...(paths ? { paths } : {}) };
  const font = "12px system-ui, sans-serif";
  const axis = { stroke: soft, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const whole = (_: uPlot, values: number[]) => values.map((v) => (Number.isInteger(v) ? String(v) : ""));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(stepped ? 1 : 10, max) * 1.06] } },
    axes: [
      { ...axis, size: 28, gap: 4, values: whole },
      { ...axis, size: 38, gap: 4, values: whole },
    ],
    series: [
      {},
      ...course.players.map(() => ({ ...base, stroke: ink, width: 4.5 })),
      ...course.players.map((p) => ({ ...base, stroke: PLAYER_COLOURS[p], width: 2.5 })),
    ],
    hooks: { setCursor: [(plot) => on.onAt(plot.cursor.idx ?? null)] },
  };
}
