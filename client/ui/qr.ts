/** A text as a QR code. Loaded when somebody waits for friends. */
import qrcode from "qrcode-generator";

export interface QrPicture {
  /** Modules on each side, the quiet zone of 4 included. */
  readonly size: number;
  /** The dark modules as one SVG path, a module being one unit. */
  readonly path: string;
}

const QUIET = 4;

/** Error correction M, the smallest version that holds `text`. Throws when the text is too long for any. */
export function qrPicture(text: string): QrPicture {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const n = code.getModuleCount();
  let path = "";
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) if (code.isDark(y, x)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  }
  return { size: n + 2 * QUIET, path };
}
