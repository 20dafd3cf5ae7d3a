import type { LibraryChange, LibrarySelection } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { queueChange } from '../sample/sample-changes.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { text } from './strings.ts';
import { type ActionTarget, namedSelections, readFacts } from './action-target.ts';

/** What was done, and what takes exactly that back. */
export interface Changed {
  changed: number;
  leftOut: number;
  /** Does it, where they are that many; the counts are 0 then. */
  job?: number;
  /** Empty if nothing was changed, or if undo would affect samples that were not. */
  undo: readonly { selection: LibrarySelection; change: LibraryChange }[];
}

/** So many are looked at before they are changed. */
const mostRemembered = 5000;

export const noChange: LibraryChange = { add: [], remove: [] };

/**
 * Changes all that are meant. A failure midway leaves the earlier ones changed. `again`: the result of an earlier call
 * is unknown.
 */
export async function changeEach(
  bridge: Bridge<File>,
  { selections }: Pick<ActionTarget, 'selections'>,
  change: LibraryChange,
  { again = false } = {},
): Promise<Result<Omit<Changed, 'undo'>>> {
  const sum: Omit<Changed, 'undo'> = { changed: 0, leftOut: 0 };
  for (const selection of selections) {
    const answer = await bridge.call('library.change', { selection, change, ...(again && { again }) });
    if (!answer.ok) return answer;
    sum.changed += answer.value.changed;
    sum.leftOut += answer.value.leftOut;
    if (answer.value.job !== undefined) sum.job = answer.value.job;
  }
  return success(sum);
}

/** Gives a tag, or takes it. Undo leaves the samples alone that were as they should be before. */
export function tagSamples(
  bridge: Bridge<File>,
  target: ActionTarget,
  tag: string,
  gives: boolean,
): Promise<Result<Changed>> {
  return queueChange(bridge, () => tagEach(bridge, target, tag, gives));
}

async function tagEach(
  bridge: Bridge<File>,
  target: ActionTarget,
  tag: string,
  gives: boolean,
): Promise<Result<Changed>> {
  const before = target.count > mostRemembered ? null : await readFacts(bridge, target, mostRemembered);
  if (before !== null && !before.ok) return before;
  const done = await changeEach(bridge, target, gives ? { add: [tag], remove: [] } : { add: [], remove: [tag] });
  if (!done.ok) return done;
  const back: LibraryChange = gives ? { add: [], remove: [tag] } : { add: [tag], remove: [] };
  const touched = before?.value.flatMap(({ sha256, tags }) =>
    sha256 !== null && tags.includes(tag) !== gives ? [sha256] : [],
  );
  // Without a read before the change, it can be undone only if it changed all of them; by then a query would find
  // others.
  const isKnown = done.value.changed === target.count && target.selections.every(({ kind }) => kind === 'named');
  const undone = touched === undefined ? (isKnown ? target.selections : []) : namedSelections(touched);
  return success({ ...done.value, undo: undone.map((selection) => ({ selection, change: back })) });
}

/**
 * Sets the local TLP. Undo gives each sample the one it had before, and leaves those alone that had this one, or have
 * another since.
 */
export function setTlp(bridge: Bridge<File>, target: ActionTarget, tlp: TlpLevel | null): Promise<Result<Changed>> {
  return queueChange(bridge, () => setTlpOfEach(bridge, target, tlp));
}

async function setTlpOfEach(
  bridge: Bridge<File>,
  target: ActionTarget,
  tlp: TlpLevel | null,
): Promise<Result<Changed>> {
  const before = target.count > mostRemembered ? success([]) : await readFacts(bridge, target, mostRemembered);
  if (!before.ok) return before;
  const done = await changeEach(bridge, target, { ...noChange, tlp });
  if (!done.ok) return done;
  const undo = [...hashesByLevel(before.value)]
    .filter(([level]) => level !== tlp)
    .flatMap(([level, hashes]) =>
      namedSelections(hashes).map((selection) => ({ selection, change: { ...noChange, tlp: level, whereTlp: tlp } })),
    );
  return success({ ...done.value, undo });
}

function hashesByLevel(samples: readonly SampleFacts[]): Map<TlpLevel | null, string[]> {
  const known = samples.flatMap(({ sha256, ownTlp }) => (sha256 === null ? [] : { sha256, ownTlp }));
  const levels = [...new Set(known.map(({ ownTlp }) => ownTlp))];
  return new Map(
    levels.map((level) => [level, known.flatMap(({ sha256, ownTlp }) => (ownTlp === level ? sha256 : []))]),
  );
}

export interface ChangeMessages {
  done(count: number): string;
  nothing: string;
  /** How many were meant, and why some of them stay as they are. */
  unchanged?: { of: number; why: string };
  /** Why some are left out, if not because their SHA-256 is unknown. */
  leftOut?(count: number): string;
  /** Shown when the change cannot be undone, if a person would expect that it can. */
  noUndo?: string;
  /** All of it was undone. */
  onUndone?(): void;
}

/** Reports the result of a change, with Undo if there is one. */
export function useChangeNews(): (result: Result<Changed>, words: ChangeMessages) => void {
  const bridge = useBridge();
  const toast = useToast();
  const reportJob = useJobNews();
  const reportFailure = (failure: Failure, words: (why: string) => string): void =>
    toast({ meaning: 'bad', text: words(describeFailure(failure).what), failure });
  const takeBack = async ({ undo, changed }: Changed, { onUndone }: ChangeMessages): Promise<void> => {
    const undone = await queueChange(bridge, () => takeBackEach(bridge, undo));
    if (!undone.ok) return reportFailure(undone.failure, text.notUndone);
    if (undone.value >= changed) onUndone?.();
    else toast({ meaning: 'info', text: text.undoneFewer(undone.value, changed) });
  };
  return (result, words) => {
    if (!result.ok) return reportFailure(result.failure, text.notDone);
    const { changed, leftOut, job, undo } = result.value;
    if (job !== undefined) return reportJob(job);
    const canUndo = changed > 0 && undo.length > 0;
    const same = words.unchanged === undefined || changed === 0 ? 0 : words.unchanged.of - changed - leftOut;
    const reported = [
      changed === 0 ? words.nothing : words.done(changed),
      ...(same > 0 && words.unchanged !== undefined ? [text.unchanged(same, words.unchanged.why)] : []),
      ...(leftOut === 0 ? [] : [(words.leftOut ?? text.leftOut)(leftOut)]),
      ...(changed === 0 || canUndo || words.noUndo === undefined ? [] : [words.noUndo]),
    ];
    toast({
      meaning: changed === 0 ? 'info' : 'ok',
      text: (changed === 0 && leftOut > 0 ? reported.slice(1) : reported).join('. '),
      ...(canUndo ? { undo: () => void takeBack(result.value, words) } : {}),
    });
  };
}

/** @returns how many are as they were before */
async function takeBackEach(bridge: Bridge<File>, undo: Changed['undo']): Promise<Result<number>> {
  let undone = 0;
  for (const step of undo) {
    const answer = await bridge.call('library.change', step);
    if (!answer.ok) return answer;
    undone += answer.value.changed;
  }
  return success(undone);
}

/** Reports that a job does what was requested, and links to it. */
export function useJobNews(): (id: number) => void {
  const toast = useToast();
  const { openJob } = useNavigation();
  return (id) =>
    toast({ meaning: 'info', text: text.doneByJob(id), action: { text: text.show, act: () => openJob(id) } });
}
