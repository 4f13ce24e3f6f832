/** The first game: seven short lessons on real positions, played in this page by the engine itself. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TileLabel } from "../../shared/engine/types.ts";
import { boardModel } from "../board/model.ts";
import { assertive, polite, say } from "../dom/announce.ts";
import { Board } from "../dom/board.tsx";
import { describeEvents } from "../dom/describe.ts";
import { savedLessons, saveLessons } from "../net/storage.ts";
import { navigate } from "../router.ts";
import { ActionPanel } from "../screens/match/action.tsx";
import { answerQuery, soundOf } from "../screens/match/announcements.ts";
import { ghostOf, keyOf, useInput } from "../screens/match/input.ts";
import { localGame } from "../store/localGame.ts";
import { matchAfter } from "../store/localMatch.ts";
import { Icon } from "../ui/icons.tsx";
import { TopBar } from "../ui/topbar.tsx";
import { LESSONS, type Lesson } from "./lessons.ts";

type Said = "" | "missed" | "done";

export function TutorialPage() {
  const [done, setDone] = useState<readonly string[]>(savedLessons);
  const [index, setIndex] = useState(() => {
    const next = LESSONS.findIndex((lesson) => !savedLessons().includes(lesson.id));
    return Math.max(0, next);
  });
  useEffect(() => {
    document.title = "Gearmice · First game";
  }, []);
  const lesson = LESSONS[index];
  if (!lesson) return null;
  const finish = () => {
    const all = done.includes(lesson.id) ? done : [...done, lesson.id];
    saveLessons(all);
    setDone(all);
  };
  return (
    <div class="page match tutorial">
      <TopBar compact>
        <span class="match-title">First game</span>
        <a class="button small" href="/rules">
          Rules
        </a>
      </TopBar>
      <LessonScreen
        key={lesson.id}
        lesson={lesson}
        number={index + 1}
        onDone={finish}
        onNext={() => (index + 1 < LESSONS.length ? setIndex(index + 1) : navigate("/"))}
        steps={
          <ol class="lesson-steps" aria-label="Lessons">
            {LESSONS.map((each, i) => (
              <li key={each.id}>
                <button
                  type="button"
                  aria-label={`Lesson ${i + 1}: ${each.title}${done.includes(each.id) ? ", done" : ""}`}
                  {...(i === index ? { "aria-current": "step" as const } : {})}
                  data-done={done.includes(each.id)}
                  onClick={() => setIndex(i)}
                >
                  {done.includes(each.id) ? <Icon name="check" size={15} /> : i + 1}
                </button>
              </li>
            ))}
          </ol>
        }
      />
    </div>
  );
}

interface LessonProps {
  lesson: Lesson;
  number: number;
  steps: preact.JSX.Element;
  onDone: () => void;
  onNext: () => void;
}

function LessonScreen({ lesson, number, steps, onDone, onNext }: LessonProps) {
  const game = useMemo(
    () => localGame(matchAfter(lesson.setup, lesson.opening), { P1: "You", P2: "Yellow" }),
    [lesson],
  );
  const state = game.state.value;
  const board = useMemo(() => boardModel(state), [state]);
  const [said, setSaid] = useState<Said>("");
  const [came, setCame] = useState("");
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const input = useInput(state, said === "" ? "P1" : null);
  const legal = useMemo(() => new Set<TileLabel>(input.factors?.tiles ?? []), [input.factors]);
  const last = number === LESSONS.length;
  const onward = useRef<HTMLButtonElement>(null);
  const repeat = useRef<HTMLButtonElement>(null);
  // The focus goes on with what there is to do, in the same instant: the next key is meant for it.
  useLayoutEffect(() => {
    if (said === "done") onward.current?.focus();
    if (said === "missed") repeat.current?.focus();
  }, [said]);

  const again = () => {
    game.show(matchAfter(lesson.setup, lesson.opening));
    input.clear();
    setSaid("");
  };
  const play = () => {
    if (input.command === null) return;
    const before = game.state.value;
    const played = game.play(input.command);
    if (!played.ok) return;
    const met = lesson.met(played.events, before);
    setCame(describeEvents(played.events));
    setSaid(met ? "done" : "missed");
    say(met ? "Well done." : `${describeEvents(played.events)}. ${lesson.missed}`);
    if (met) onDone();
  };
  const rotation = input.choice?.stage === "rotation" ? input.choice : null;
  return (
    <main class="match-main lesson" data-lesson={lesson.id} data-said={said}>
      <div class="side left lesson-side">
        <section class="panel lesson-card" aria-label={`Lesson ${number}`}>
          {steps}
          <h1>{lesson.title}</h1>
          {lesson.text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p class="lesson-task">
            <Icon name="flag" size={18} /> {lesson.task}
          </p>
        </section>
      </div>
      <div class="centre">
        <Board
          feed={game.feed}
          board={board}
          me="P1"
          legal={legal}
          chosen={input.choice?.tile ?? null}
          premove={rotation?.premove?.tile ?? null}
          premoveTo={rotation?.premove ?? null}
          ghost={ghostOf(input, "P1")}
          preview={busy ? null : input.shown}
          onPick={input.tile}
          onHover={input.hoverTile}
          onKey={(key) => {
            if (key === "Enter" && input.command !== null) {
              play();
              return true;
            }
            return keyOf(input, key) || answerQuery(key, state, "P1", input.factors?.tiles ?? []);
          }}
          onBusy={setBusy}
          onEvent={soundOf}
        />
      </div>
      <div class="side right lesson-turn">
        {said === "" && (
          <>
            <ActionPanel
              state={state}
              board={board}
              seat="P1"
              input={input}
              sending={false}
              problem={null}
              onPlay={play}
            />
            <p class="lesson-answer">
              {shown ? (
                <span>
                  One answer: <code>{lesson.answer}</code>
                </span>
              ) : (
                <button type="button" class="button quiet small" onClick={() => setShown(true)}>
                  Show me
                </button>
              )}
            </p>
          </>
        )}
        {said !== "" && (
          <section
            class={said === "done" ? "panel lesson-said done" : "panel lesson-said"}
            aria-label="What came of it"
          >
            <h2>
              {said === "done" ? <Icon name="check" /> : <Icon name="refresh" />}
              {said === "done" ? "Well done" : "Not quite"}
            </h2>
            {came && <p class="note">{came}.</p>}
            {said === "missed" && <p>{lesson.missed}</p>}
            <div class="dialog-foot plain">
              {said === "done" && (
                <button type="button" class="button primary" onClick={onNext} ref={onward}>
                  {last ? "To the Playroom" : "Next lesson"}
                </button>
              )}
              <button
                type="button"
                class={said === "missed" ? "button primary" : "button"}
                onClick={again}
                ref={repeat}
              >
                Try again
              </button>
            </div>
          </section>
        )}
      </div>
      <div class="sr-only" role="status">
        {polite.value}
      </div>
      <div class="sr-only" role="alert">
        {assertive.value}
      </div>
    </main>
  );
}
