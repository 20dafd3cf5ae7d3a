import { type LibrarySelection, mostNotedAtOnce } from '../../../shared/domain/library.ts';
import type { FailureKind } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { queueChange } from '../sample/sample-changes.ts';
import type { ActionTarget } from './action-target.ts';
import { type Changed, changeEach, noChange } from './change-samples.ts';

export type Noted = Pick<ActionTarget, 'count' | 'selections'>;
type Noting = Promise<Result<Omit<Changed, 'undo'>>>;

/**
 * Puts a text below the note of all that are meant. What fails before the end has noted none of them: a call for each
 * part would leave it with some, where it came twice when it is tried again.
 */
export function addNote(bridge: Bridge<File>, target: Noted, note: string): Noting {
  return queueChange(bridge, () =>
    target.count > mostNotedAtOnce ? noteByJob(bridge, target, note) : noteAtOnce(bridge, target, note),
  );
}

/** What was asked may have been done all the same. */
const unheard: ReadonlySet<FailureKind> = new Set<FailureKind>(['host-gone', 'host-reply-unreadable']);

/**
 * The calls that may have been done, though no answer came: by their samples and text, as the dialog that asked may be
 * another one by now. A later request for the same loses nothing: only where a note ends with the text nothing is
 * added.
 */
const unheardCalls = new WeakMap<Bridge<File>, Set<string>>();

/** The same samples may have been ticked in another order. */
const inOrder = (selection: LibrarySelection): LibrarySelection =>
  selection.kind === 'named'
    ? { ...selection, hashes: selection.hashes.toSorted() }
    : { ...selection, except: selection.except.toSorted() };

async function noteAtOnce(bridge: Bridge<File>, { selections }: Noted, note: string): Noting {
  const calls = unheardCalls.get(bridge) ?? new Set();
  unheardCalls.set(bridge, calls);
  const call = JSON.stringify([selections.map(inOrder), note]);
  const again = calls.has(call);
  const done = await changeEach(bridge, { selections }, { ...noChange, note }, { again });
  if (!done.ok && (again || unheard.has(done.failure.kind))) calls.add(call);
  else calls.delete(call);
  return done;
}

/**
 * A job that has all of them and whose start was not confirmed, by its purpose: a retry begins this job and no other
 * one.
 */
const unheardJob = new WeakMap<Noted['selections'], { note: string; job: number }>();

/** A job that begins when it has all of them. */
async function noteByJob(bridge: Bridge<File>, { selections }: Noted, note: string): Noting {
  const before = unheardJob.get(selections);
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

async function begin(
  bridge: Bridge<File>,
  selections: Noted['selections'],
  filled: { note: string; job: number },
): Noting {
  unheardJob.set(selections, filled);
  const begun = await bridge.call('library.beginChange', { job: filled.job });
  if (!begun.ok) return begun;
  unheardJob.delete(selections);
  return success({ changed: 0, leftOut: 0, job: filled.job });
}
