import { assertNever } from '../../../shared/assert-never.ts';
import type { Failure } from '../../../shared/failure.ts';
import { isMissingCode } from './staged-source.ts';

/** Why a staged file could not be read. `code` is the system's name of the error, where there is one. */
export interface UnreadStaged {
  reason: 'gone' | 'changed' | 'unreadable';
  code: string;
}

/** From what a thread or process that reads says: `changed`, `damaged`, or the system's name of an error. */
export function unreadStagedOf(said: string): UnreadStaged {
  if (said === 'changed') return { reason: 'changed', code: '' };
  return { reason: said === 'damaged' || isMissingCode(said) ? 'gone' : 'unreadable', code: said };
}

/** What the person is told of it. */
export function unreadStagedFailure(name: string, { reason, code }: UnreadStaged): Failure {
  switch (reason) {
    case 'changed':
      return { kind: 'file-changed', name };
    case 'gone':
      return { kind: 'file-gone', name };
    case 'unreadable':
      return { kind: 'file-unreadable', name, code };
    default:
      return assertNever(reason);
  }
}
