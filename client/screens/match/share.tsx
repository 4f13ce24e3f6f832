/** The room's code and its link, to hand on. */
import { useState } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";

export function Share({ code, big = false }: { code: string; big?: boolean }) {
  const [done, setDone] = useState<"" | "code" | "link">("");
  const copy = async (what: "code" | "link") => {
    const text = what === "code" ? code : `${location.origin}/room/${code}`;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      prompt("Copy this:", text);
    }
    setDone(what);
    setTimeout(() => setDone(""), 1600);
  };
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
    </div>
  );
}
