/** Lines of code with a button that copies them. */
import { useState } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";

export function Copyable({ title, caption, text }: { title: string; caption: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      prompt("Copy this:", text);
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <figure class="copyable">
      <figcaption>
        <span>{caption}</span>
        <button type="button" class="button small" onClick={() => void copy()} aria-label={`Copy: ${title}`}>
          <Icon name={copied ? "check" : "copy"} size={16} /> {copied ? "Copied" : "Copy"}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
