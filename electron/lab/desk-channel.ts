import type { LabMessage } from '../../shared/domain/lab.ts';

/** The line to the desk that started this process. */
export interface DeskChannel {
  onMessage(listener: (message: unknown) => void): void;
  /** The desk ended or let go of us. */
  onGone(listener: () => void): void;
  post(message: LabMessage): void;
  /** Ends this process once what was posted is on its way. */
  endAfterPosting(exitCode: number): void;
}
