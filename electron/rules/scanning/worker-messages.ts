import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { VariableTexts } from '../engine/scan-engine.ts';

/** Messages from a session to a scan worker. It does one thing after the other. */
export type ToScanWorker<S> =
  /** Whether the native engine is there. */
  | { kind: 'check' }
  /** MiB of memory that its process may take from now on. */
  | { kind: 'limit'; memoryMebibytes: number }
  /** A part of the rules; what was compiled before is forgotten with the first one. */
  | { kind: 'source'; text: string }
  /** A part of the rules that ask for a variable, and of what they need: again, to be compiled by themselves. */
  | { kind: 'asking'; text: string }
  /**
   * `reported`: rules to report; null: all. `asking`: those whose hits depend on a variable. `typed`: one of them needs
   * the type of the file. `stringsFirst`: a condition is compiled when a string of its rule was found.
   */
  | {
      kind: 'compile';
      engine: LocalEngine;
      variables: readonly RuleVariable[];
      asking: readonly string[];
      typed: boolean;
      stringsFirst: boolean;
      reported: readonly string[] | null;
    }
  | { kind: 'scan'; orders: WorkerOrder<S>[] };

/** A scan worker gets messages only from the program it is a part of. */
export const isToScanWorker = <S>(message: unknown): message is ToScanWorker<S> =>
  typeof message === 'object' && message !== null && 'kind' in message;

export interface WorkerOrder<S> {
  source: S;
  sizeBytes: number;
  /** Texts of variables, once for each name that the file has; the scan worker itself knows its type. */
  variables: readonly VariableTexts[];
}

/** A session does not hear more often than this of what takes long. */
export const resultsEveryMs = 200;
/** Reading these takes a while by itself. */
export const largeBytes = 8 * 1024 * 1024;
