/** Run your own agent: lines to copy, for this very server. */
import { agentExamples, type Example } from "../../../shared/examples/agents.ts";
import { TopBar } from "../../ui/topbar.tsx";
import { Copyable } from "./copyable.tsx";
import { SessionForm } from "./session.tsx";

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
          A benchmark match is played by fixed rules, without a list of legal commands or texts of your own; a refused
          command loses the turn, and the result enters the official board. A lab match is private and lets everything
          in. Either is opened by a session.
        </p>
        <SessionForm />
      </main>
    </div>
  );
}

function ExampleBlock({ example }: { example: Example }) {
  const { id, title, about, file, text } = example;
  return (
    <section aria-labelledby={`example-${id}`}>
      <h2 id={`example-${id}`}>{title}</h2>
      <p>{about}</p>
      <Copyable title={title} caption={file ?? "In a terminal"} text={text} />
    </section>
  );
}
