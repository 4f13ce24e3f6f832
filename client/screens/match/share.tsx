/** The room's code and its link, to hand on: copied, shared by the system's own sheet, or held before a camera. */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";
import type { QrPicture } from "../../ui/qr.ts";

const linkTo = (code: string): string => `${location.origin}/room/${code}`;

export function Share({ code, big = false }: { code: string; big?: boolean }) {
  const [done, setDone] = useState<"" | "code" | "link">("");
  const copy = async (what: "code" | "link") => {
    const text = what === "code" ? code : linkTo(code);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      prompt("Copy this:", text);
    }
    setDone(what);
    setTimeout(() => setDone(""), 1600);
  };
  const canShare = big && typeof navigator.share === "function";
  return (
    <div class={big ? "share big" : "share"}>
      <code class="room-code" data-room-code={code}>
        {code}
      </code>
      <button type="button" class="button small" onClick={() => copy("code")} aria-label="Copy the room code">
        <Icon name={done === "code" ? "check" : "copy"} size={16} />
        <span>{done === "code" ? "Copied" : "Code"}</span>
      </button>
      <button type="button" class="button small" onClick={() => copy("link")} aria-label="Copy the link to this room">
        <Icon name={done === "link" ? "check" : "link"} size={16} />
        <span>{done === "link" ? "Copied" : "Link"}</span>
      </button>
      {canShare && (
        <button
          type="button"
          class="button small"
          // Whoever closes the sheet has shared nothing, and that is all.
          onClick={() => navigator.share({ title: "Gearmice", url: linkTo(code) }).catch(() => undefined)}
        >
          <Icon name="share" size={16} /> Share
        </button>
      )}
    </div>
  );
}

/** The invite link for the camera of a phone; nothing while (or if) the code that draws it does not come. */
export function InviteQr({ code }: { code: string }) {
  const [picture, setPicture] = useState<QrPicture | null>(null);
  useEffect(() => {
    import("../../ui/qr.ts").then(({ qrPicture }) => setPicture(qrPicture(linkTo(code)))).catch(() => undefined);
  }, [code]);
  if (picture === null) return <div class="qr" />;
  return (
    <div class="qr">
      <svg
        viewBox={`0 0 ${picture.size} ${picture.size}`}
        role="img"
        aria-label="QR code of the link to this room"
        shape-rendering="crispEdges"
      >
        <path d={`M0 0h${picture.size}v${picture.size}H0z`} fill="#fff" />
        <path d={picture.path} fill="#000" data-qr="" />
      </svg>
      <small>Point a phone at it to join.</small>
    </div>
  );
}
