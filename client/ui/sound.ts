/** Six short sounds, made by the browser's own synthesizer; silent until the first gesture and while muted. */
import { signal } from "@preact/signals";
import { savedMute, saveMute } from "../net/storage.ts";

export type Sound = "place" | "turn" | "jump" | "home" | "entropy" | "yourTurn";

export const muted = signal(savedMute());

export function setMuted(mute: boolean): void {
  muted.value = mute;
  saveMute(mute);
}

let context: AudioContext | null = null;
let last = 0;

interface Note {
  readonly hz: number;
  readonly to?: number;
  readonly at?: number;
  readonly ms: number;
  readonly type: OscillatorType;
  readonly gain: number;
}

const SOUNDS: Readonly<Record<Sound, readonly Note[]>> = {
  place: [
    { hz: 190, to: 90, ms: 90, type: "triangle", gain: 0.5 },
    { hz: 1250, to: 700, ms: 28, type: "square", gain: 0.06 },
  ],
  turn: [0, 70, 140, 210].map((at) => ({ hz: 900 - at, to: 420, at, ms: 26, type: "square" as const, gain: 0.045 })),
  jump: [{ hz: 420, to: 840, ms: 120, type: "sine", gain: 0.28 }],
  home: [523, 659, 784, 1047].map((hz, i) => ({ hz, at: i * 70, ms: 220, type: "sine" as const, gain: 0.2 })),
  entropy: [{ hz: 120, to: 34, ms: 520, type: "sawtooth", gain: 0.22 }],
  yourTurn: [
    { hz: 660, ms: 160, type: "sine", gain: 0.16 },
    { hz: 880, at: 110, ms: 220, type: "sine", gain: 0.16 },
  ],
};

/** Plays a sound; many at once are one. */
export function play(sound: Sound): void {
  const now = performance.now();
  if (muted.value || now - last < 25 || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  last = now;
  context ??= new AudioContext();
  void context.resume();
  for (const note of SOUNDS[sound]) playNote(context, note);
}

function playNote(audio: AudioContext, { hz, to = hz, at = 0, ms, type, gain }: Note): void {
  const start = audio.currentTime + at / 1000;
  const end = start + ms / 1000;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = type;
  tone.frequency.setValueAtTime(hz, start);
  tone.frequency.exponentialRampToValueAtTime(to, end);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(gain, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(end + 0.02);
}
