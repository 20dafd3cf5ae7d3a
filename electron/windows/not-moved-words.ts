import type { Failure } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';

/**
 * For a message box: the data was to be moved before it was opened, was not, and is open where it was. Same shape as
 * `quitQuestion`.
 */
export function notMovedWords(
  failure: Failure,
  directory: string,
): { message: string; detail: string; buttons: string[] } {
  const { what, then } = sentenceFor(failure);
  const isSaid = failure.kind === 'move-refused';
  return {
    message: isSaid ? what : `The data was not moved: ${what.slice(0, 1).toLowerCase()}${what.slice(1)}`,
    detail: `${then}\n\nNothing was changed. Vitrine uses the data in ${directory}.`,
    buttons: ['Continue'],
  };
}
