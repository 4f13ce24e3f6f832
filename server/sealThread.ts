/** The thread of `sealer.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { followSigner } from "./keys/recordKeys.ts";
import type { SealAnswer, SealRequest } from "./sealer.ts";
import { makeSeal } from "./signing.ts";

const { dir } = workerData as { dir: string };
const signer = followSigner(dir);
// A key that cannot be read ends the thread.
signer();
const seal = makeSeal(signer);

parentPort?.on("message", ({ id, entries }: SealRequest) => {
  const answer = (value: SealAnswer) => parentPort?.postMessage(value);
  seal(entries).then(
    (sealed) => answer({ id, sealed }),
    (error: unknown) => answer({ id, problem: error instanceof Error ? error.message : String(error) }),
  );
});
