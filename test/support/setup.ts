/** For every test file: properties draw from a fixed seed, so that a run can be repeated. `FC_SEED=n` tries another. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_130) });
