import type { VariableTexts } from '../engine/scan-engine.ts';
import type { ScanOrder } from './scan-session.ts';
import type { ScanVerdict } from './scan-verdict.ts';

/** An order on its way through a session. */
export interface ScanTask<S> {
  order: ScanOrder<S>;
  /** Those that the rules ask for, for each name of the file. */
  variables: readonly VariableTexts[];
  /** Names that it is not scanned with, because there are too many. */
  namesLeftOut: number;
  /** The batch it was in ended a scan worker badly: it is given to one by itself. */
  isAlone: boolean;
  /** An engine died of it, or of something else at that time. */
  hasDied: boolean;
  /** A rule that is to blame was looked for, in vain. */
  wasSought: boolean;
  resolve(verdict: ScanVerdict): void;
  reject(error: Error): void;
}
