/** Rows of figures: medians over the repetitions, the table, the JSON. */

/** What a part measured of one subject, once: numbers by name, units in the names. */
export type Figures = Readonly<Record<string, number>>;

export interface Target {
  /** The figure that is held against the baseline. */
  readonly figure: string;
  /** `atLeast`: share of bare Colyseus; `atMost`: times bare Colyseus; `below`: an absolute number. */
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly below?: number;
}

export interface Row {
  readonly part: string;
  readonly subject: string;
  /** Medians. */
  readonly figures: Figures;
  /** Every repetition. */
  readonly runs: readonly Figures[];
  readonly verdicts?: readonly Verdict[];
}

export interface Verdict {
  readonly target: string;
  /** The figure, divided by that of bare Colyseus where the target is relative. */
  readonly reached: number;
  readonly met: boolean;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value below which `share` of the sorted numbers lie; 0 of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function rounded(value: number): number {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number(value.toFixed(digits));
}

/** The rows of one part. `measured`: by subject, the figures of every repetition. */
export function rowsOf(
  part: string,
  measured: ReadonlyMap<string, readonly Figures[]>,
  targets: readonly Target[],
): Row[] {
  const rows: Row[] = [];
  for (const [subject, runs] of measured) {
    const names = Object.keys(runs[0] ?? {});
    const figures = Object.fromEntries(names.map((n) => [n, rounded(median(runs.map((run) => run[n] ?? 0)))]));
    rows.push({
      part,
      subject,
      figures,
      runs,
      ...(subject.startsWith("gearmice")
        ? { verdicts: targets.flatMap((target) => verdict(subject, measured, target)) }
        : {}),
    });
  }
  return rows;
}

function verdict(subject: string, measured: ReadonlyMap<string, readonly Figures[]>, target: Target): Verdict[] {
  const of = (name: string) => median((measured.get(name) ?? []).map((run) => run[target.figure] ?? Number.NaN));
  const [ours, bare] = [of(subject), of("colyseus")];
  const { figure, atLeast, atMost, below } = target;
  if (below !== undefined) return [{ target: `${figure} < ${below}`, reached: rounded(ours), met: ours < below }];
  const share = ours / bare;
  // The baseline was not measured.
  if (!Number.isFinite(share)) return [];
  const reached = rounded(share);
  if (atLeast !== undefined) {
    return [{ target: `${figure} >= ${atLeast} x bare Colyseus`, reached, met: share >= atLeast }];
  }
  return [{ target: `${figure} <= ${atMost} x bare Colyseus`, reached, met: share <= (atMost ?? 0) }];
}

/** The rows of one part as text in columns. */
export function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = [
    [rows[0]?.part ?? "", ...names],
    ...rows.map((row) => [row.subject, ...names.map((name) => String(row.figures[name] ?? "-"))]),
  ];
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const text = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "),
  );
  for (const { subject, verdicts = [] } of rows) {
    for (const { target, reached, met } of verdicts) {
      text.push(`${met ? "met" : "MISSED"} (${subject}): ${target}; is ${reached}`);
    }
  }
  return text.join("\n");
}
