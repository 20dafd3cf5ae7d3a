import { z } from 'zod';
import { mostMatchesCounted } from '../engine/scan-engine.ts';
import { mostFound } from './scan-verdict.ts';

const count = z.number().int().nonnegative();
const systemNumber = z.number().int().positive();
/** Of strings of one id, each is counted to a bound. */
const total = count.max(mostMatchesCounted * mostFound.strings);
const foundMatch = z.object({
  offset: count,
  length: count,
  data: z
    .string()
    .max(2 * mostFound.data)
    .regex(/^(?:[0-9a-f]{2})*$/),
});
const foundString = z.object({
  id: z.string(),
  total,
  isAtLeast: z.boolean(),
  matches: z.array(foundMatch).max(mostFound.matchesOfOne),
});
const foundRule = z.object({ rule: z.string(), strings: z.array(foundString).max(mostFound.strings) });
/** An engine reads hostile bytes: its reply must not be more than is kept. */
const found = z
  .array(foundRule)
  .max(mostFound.rules)
  .refine(
    (rules) =>
      rules.reduce((sum, { strings }) => sum + strings.reduce((own, { matches }) => own + matches.length, 0), 0) <=
      mostFound.matches,
  );

/**
 * Of one order; `failed`: why the engine could not scan it, and can scan others. Most files have no hits, and for those
 * there is only how many microseconds they took.
 */
const workerResult = z.union([
  count,
  z.object({ reason: z.string() }),
  z.object({ failed: z.string() }),
  z.object({ micros: count, found, isCut: z.boolean() }),
]);
export type WorkerResult = z.infer<typeof workerResult>;

/** Messages from a scan worker to its session. */
export const fromScanWorker = z.discriminatedUnion('kind', [
  /** null: the engine is there. */
  z.object({ kind: z.literal('checked'), failure: z.string().nullable() }),
  /** `thread`: in which it scans; null where the system does not report it. */
  z.object({
    kind: z.literal('compiled'),
    thread: z.object({ process: systemNumber, thread: systemNumber }).nullable(),
  }),
  z.object({ kind: z.literal('refused'), text: z.string() }),
  /** A large file was read, and now it is scanned. */
  z.object({ kind: z.literal('read') }),
  /** Rules are compiled for the file that is being scanned; then comes `read`. */
  z.object({ kind: z.literal('compiling') }),
  /**
   * Of the orders that have none yet, in their order. `isSpent`: the scan worker has taken memory that only its end
   * frees.
   */
  z.object({ kind: z.literal('results'), results: z.array(workerResult), isSpent: z.boolean().optional() }),
  /** The engine failed, and the scan worker does nothing more. */
  z.object({ kind: z.literal('broke'), text: z.string() }),
  /** An error that means nothing to a person. */
  z.object({ kind: z.literal('defect'), text: z.string() }),
]);
export type FromScanWorker = z.infer<typeof fromScanWorker>;
