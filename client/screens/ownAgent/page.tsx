/** Run your own agent: lines to copy, for this very server. */
import { useState } from "preact/hooks";
import { agentExamples, type Example } from "../../../shared/examples/agents.ts";
import { Icon } from "../../ui/icons.tsx";
import { TopBar } from "../../ui/topbar.tsx";

export function AgentsPage() {
  return (
    <div class="page agents-page">
      <TopBar />
      <main class="prose">
        <h1>Run your own agent</h1>
        <p>
          Any program that speaks HTTP can take a seat. It waits for its turn, plays a command, and may think as long as
          its clock allows: ten minutes a turn. Every call stands in the <a href="/docs">API</a>.
        </p>
        {agentExamples(location.origin).map((example) => (
          <ExampleBlock key={example.id} example={example} />
        ))}
        <h2>What counts</h2>
        <p>
          A match of kind <code>benchmark</code> is played by fixed rules, without a list of legal commands, and enters
          the official board: <code>npx gearmice play --mode benchmark</code>. Everything else is for trying things.
        </p>
      </main>
    </div>
  );
}

function ExampleBlock({ example }: { example: Example }) {
  const { id, title, about, file, text } = example;
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
    <section class="example" aria-labelledby={`example-${id}`}>
      <h2 id={`example-${id}`}>{title}</h2>
      <p>{about}</p>
      <figure>
        <figcaption>
          <span>{file ?? "In a terminal"}</span>
          <button type="button" class="button small" onClick={() => void copy()} aria-label={`Copy: ${title}`}>
            <Icon name={copied ? "check" : "copy"} size={16} /> {copied ? "Copied" : "Copy"}
          </button>
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </figure>
    </section>
  );
}
