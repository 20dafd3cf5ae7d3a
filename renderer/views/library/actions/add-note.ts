import type { Bridge } from '../../../../shared/bridge.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import { inTurn } from '../../../app/library/in-turn.ts';
import { type Changed, changeSamples, noChange } from './change-samples.ts';
import type { MeantSamples } from './meant-samples.ts';

type Noted = Pick<MeantSamples, 'selections'>;

/**
 * Puts a text below the note of all that are meant. What fails before the end has noted none of them: a call for each part would leave it with
 * some, where it came twice when it is tried again.
 */
export function addNote(bridge: Bridge<File>, meant: Noted, note: string): Promise<Result<Omit<Changed, 'undo'>>> {
  return meant.selections.length > 1 ? inTurn(bridge, () => noteByJob(bridge, meant, note)) : changeSamples(bridge, meant, { ...noChange, note });
}

/** A job that begins when it has all of them. */
async function noteByJob(bridge: Bridge<File>, { selections }: Noted, note: string): Promise<Result<Omit<Changed, 'undo'>>> {
  const draft = await bridge.call('library.draftChange', { change: { ...noChange, note } });
  if (!draft.ok) return draft;
  const { job } = draft.value;
  for (const selection of selections) {
    const added = await bridge.call('library.addToChange', { job, selection });
    if (!added.ok) return added;
  }
  const begun = await bridge.call('library.beginChange', { job });
  return begun.ok ? success({ changed: 0, leftOut: 0, job }) : begun;
}
