/** The Playroom: start a room, join one by code, watch one. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { levelOf } from "../../../shared/engine/levels.ts";
import { PLAYERS } from "../../../shared/engine/types.ts";
import { parseRoomCode } from "../../../shared/protocol/ids.ts";
import { PRESET_GROUPS, PRESETS, type Preset, type PresetGroup } from "../../../shared/protocol/presets.ts";
import type { CreateRoomRequest } from "../../../shared/protocol/requests.ts";
import { poster } from "../../board/poster.ts";
import { ApiError, createRoom } from "../../net/api.ts";
import { navigate } from "../../router.ts";
import { BoardPicture } from "../../ui/boardPicture.tsx";
import { Icon } from "../../ui/icons.tsx";
import { TopBar } from "../../ui/topbar.tsx";
import { FORMAT_NAMES, PRESET_TEXTS } from "../../ui/words.ts";
import { CustomRoom } from "./custom.tsx";
import { Live, useRooms } from "./live.tsx";
import { NameField } from "./name.tsx";
import { Showcase } from "./showcase.tsx";

const GROUP_TEXTS: Readonly<Record<PresetGroup, string>> = {
  "Human Only": "Alone, or with friends you send the code to.",
  "Human vs AI": "House bots take the other seats; the match starts at once.",
  "AI Showcase": "Bots only. Open one and watch.",
};

export function Lobby() {
  const [problem, setProblem] = useState<string | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const rooms = useRooms();
  useEffect(() => {
    document.title = "Gearmice · Playroom";
  }, []);

  const open = async (key: string, request: CreateRoomRequest) => {
    if (opening !== null) return;
    setOpening(key);
    setProblem(null);
    try {
      const made = await createRoom(request);
      navigate(`/room/${made.code}${made.seat === null ? "?watch=1" : ""}`);
    } catch (error) {
      setOpening(null);
      setProblem(error instanceof ApiError ? error.message : "The room could not be opened.");
      if (!(error instanceof ApiError)) throw error;
    }
  };

  return (
    <div class="page lobby">
      <TopBar>
        <NameField />
      </TopBar>
      <main>
        <section class="hero">
          <div class="hero-words">
            <h1>
              Turn the gears.
              <br />
              Bring your mice home.
            </h1>
            <p>
              A live puzzle of meshing gears, for people and programs. Every quarter turn moves the whole block, so
              every move helps you and everybody else.
            </p>
            <div class="hero-actions">
              <button
                type="button"
                class="button primary big"
                disabled={opening !== null}
                onClick={() => open("hero", { preset: "david-goliath" })}
              >
                <Icon name="play" /> {opening === "hero" ? "Opening…" : "Play a bot now"}
              </button>
              <a class="button big" href="/tutorial">
                <Icon name="help" /> Learn to play
              </a>
            </div>
            <JoinByCode />
          </div>
          <Showcase rooms={rooms.playing} />
        </section>

        {problem && (
          <p class="problem page-problem" role="alert">
            <Icon name="warn" size={18} /> {problem}
          </p>
        )}

        {PRESET_GROUPS.map((group) => (
          <section key={group} class="group" aria-label={group}>
            <header class="section-head">
              <h2>{group}</h2>
              <p>{GROUP_TEXTS[group]}</p>
            </header>
            <div class="cards">
              {PRESETS.filter((p) => p.group === group).map((preset) => (
                <PresetCard
                  key={preset.id}
                  preset={preset}
                  opening={opening === preset.id}
                  disabled={opening !== null}
                  onOpen={() => open(preset.id, { preset: preset.id })}
                />
              ))}
            </div>
          </section>
        ))}

        <div class="two">
          <Live rooms={rooms} />
          <CustomRoom opening={opening === "custom"} onOpen={(request) => open("custom", request)} />
        </div>
      </main>
      <footer class="foot">
        <nav aria-label="More of Gearmice">
          <a href="/tutorial">First game</a>
          <a href="/rules">Rules</a>
          <a href="/analysis">Analysis board</a>
          <a href="/leaderboard">Leaderboard</a>
          <a href="/tv">TV</a>
          <a href="/agents">Run your own agent</a>
          <a href="/docs">API</a>
        </nav>
        <p>Gearmice is free software (MIT). Programs play by the same doors as people.</p>
      </footer>
    </div>
  );
}

interface CardProps {
  preset: Preset;
  opening: boolean;
  disabled: boolean;
  onOpen: () => void;
}

function PresetCard({ preset, opening, disabled, onOpen }: CardProps) {
  const board = useMemo(() => poster(preset.format, preset.level), [preset]);
  const level = levelOf(preset.format, preset.level);
  const verb =
    preset.group === "AI Showcase"
      ? "Watch"
      : preset.seats.length > 1 && preset.group === "Human Only"
        ? "Open"
        : "Play";
  return (
    <article class="card" data-preset={preset.id}>
      <div class="card-art">
        <BoardPicture board={board} width={board.width > 6 ? 232 : 216} label="" />
      </div>
      <div class="card-body">
        <h3>{preset.title}</h3>
        <p>{PRESET_TEXTS[preset.id]}</p>
        <div class="card-facts">
          <span>
            {FORMAT_NAMES[preset.format]} · {level?.dimensions.replace("x", "×")}
          </span>
          <span
            class="seat-row"
            role="img"
            aria-label={preset.seats.map((s) => (s.kind === "ai" ? "bot" : "person")).join(", ")}
          >
            {preset.seats.map((seat, i) => (
              <Icon key={PLAYERS[i]} name={seat.kind === "ai" ? "bot" : "person"} size={17} />
            ))}
          </span>
        </div>
        <button
          type="button"
          class="button primary"
          disabled={disabled}
          onClick={onOpen}
          aria-label={`${verb} ${preset.title}`}
        >
          {opening ? "Opening…" : verb}
        </button>
      </div>
    </article>
  );
}

function JoinByCode() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const code = parseRoomCode(text);
    if (code === null) setWrong(true);
    else navigate(`/room/${code}`);
  };
  return (
    <form class="join" onSubmit={submit} aria-label="Join by code">
      <label for="join-code">Have a code?</label>
      <div class="join-row">
        <input
          id="join-code"
          name="code"
          placeholder="IXENT-XXXXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={40}
          value={text}
          aria-invalid={wrong}
          aria-describedby="join-wrong"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <button type="submit" class="button">
          Join
        </button>
      </div>
      <p id="join-wrong" class="join-wrong" role="status">
        {wrong ? "A code has six letters or digits, like IXENT-K7M2QP." : ""}
      </p>
    </form>
  );
}
