import { storeContract } from "./contract.ts";
import { fileHome } from "./testHome.ts";

storeContract("a file store", () => fileHome());
// Every few entries a new segment: the same must hold while files are tidied all the time.
storeContract("a file store with tiny segments", () => fileHome({ segmentBytes: 2_000, windowMs: 0 }));
