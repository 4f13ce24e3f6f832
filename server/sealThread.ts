/** The thread of `sealer.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import type { SealAnswer, SealRequest } from "./sealer.ts";
import { makeSeal, openSigner } from "./signing.ts";

const seal = makeSeal(openSigner((workerData as { dir: string }).dir));

parentPort?.on("message", ({ id, entries }: SealRequest) => {
  const answer = (value: SealAnswer) => parentPort?.postMessage(value);
  seal(entries).then(
    (sealed) => answer({ id, sealed }),
    (error: unknown) => answer({ id, problem: error instanceof Error ? error.message : String(error) }),
  );
});
