/** The thread of `partialRecords.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { partialRecord } from "../shared/protocol/record.ts";
import type { PartialRequest } from "./partialRecords.ts";

const { entries, viewer } = workerData as PartialRequest;
parentPort?.postMessage(`${partialRecord(entries, viewer).join("\n")}\n`);
