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

/** A job that has all of them and of which nobody heard that it began, by what it is for: when that is tried again, it is begun and no other one. */
const unheard = new WeakMap<Noted['selections'], { note: string; job: number }>();

/** A job that begins when it has all of them. */
async function noteByJob(bridge: Bridge<File>, { selections }: Noted, note: string): Promise<Result<Omit<Changed, 'undo'>>> {
  const before = unheard.get(selections);
  if (before?.note === note) {
    const begun = await begin(bridge, selections, before);
    if (begun.ok || begun.failure.kind !== 'job-missing') return begun;
  }
  const filled = await filledJob(bridge, selections, note);
  return filled.ok ? begin(bridge, selections, { note, job: filled.value }) : filled;
}

async function filledJob(bridge: Bridge<File>, selections: Noted['selections'], note: string): Promise<Result<number>> {
  const draft = await bridge.call('library.draftChange', { change: { ...noChange, note } });
  if (!draft.ok) return draft;
  const { job } = draft.value;
  for (const selection of selections) {
    const added = await bridge.call('library.addToChange', { job, selection });
    if (!added.ok) return added;
  }
  return success(job);
}

async function begin(bridge: Bridge<File>, selections: Noted['selections'], filled: { note: string; job: number }): Promise<Result<Omit<Changed, 'undo'>>> {
  unheard.set(selections, filled);
  const begun = await bridge.call('library.beginChange', { job: filled.job });
  if (!begun.ok) return begun;
  unheard.delete(selections);
  return success({ changed: 0, leftOut: 0, job: filled.job });
}
