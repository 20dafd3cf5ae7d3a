import type { ScanOrder } from './scan-session.ts';
import type { ScanVerdict } from './scan-verdict.ts';

/** An order on its way through a session. */
export interface ScanTask<S> {
  order: ScanOrder<S>;
  /** Those that the rules may ask for. */
  variables: Readonly<Record<string, string>>;
  /** What it was given to a lane with ended badly: it is given to one by itself. */
  isAlone: boolean;
  /** An engine died of it, or of something else at that time. */
  hasDied: boolean;
  /** A rule that is to blame was looked for, in vain. */
  wasSought: boolean;
  resolve(verdict: ScanVerdict): void;
  reject(error: Error): void;
}
