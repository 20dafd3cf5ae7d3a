import type { MissingPart } from '../../shared/domain/diagnostics.ts';
import type { Door } from './door.ts';

/** A file for a bug report, ready to be written once. */
export interface MadeDiagnostics {
  fileName: string;
  missing: readonly MissingPart[];
  bytes(): AsyncIterable<Uint8Array>;
}

/** For a command that must work whatever state the program and its data are in. */
export interface Diagnosing {
  /**
   * A Vitrine of this version that is open on the data directory; null where none answers. Opens no data. The caller
   * closes it.
   */
  openDesk(): Promise<Door | null>;
  /** Reads the data directory without opening it: nothing in it is changed, and it need not be there. Does not fail. */
  collect(): Promise<MadeDiagnostics>;
}
