import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { LibraryRow, LibrarySelection, SelectionMark } from '../../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction, valueOf } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { noRows, withTicks } from '../../../components/data-grid/row-selection.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { KeyCap } from '../../../components/key-cap.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { type LibraryPlace, useLibraryPlaces } from '../../../features/library/library-place.tsx';
import { useIsMounted } from '../../../state/presence.ts';
import { text } from '../strings.ts';
import { type ActionTarget, mostNamed, readFacts, shownName } from '../../../features/library/action-target.ts';
import { useJobNews } from '../../../features/library/change-samples.ts';

type What = OperationInput<'library.forget'>['what'];
interface ForgetActionProps {
  target: ActionTarget;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
}

/** As it was when the question was asked. */
interface ForgetQuestion extends ForgetActionProps {
  place: LibraryPlace;
}

export function ForgetAction({ target, one }: ForgetActionProps) {
  const places = useLibraryPlaces();
  const [asked, ask] = useState<ForgetQuestion | null>(null);
  return (
    <>
      <Button
        look="quiet"
        isDisabled={target.count === 0}
        why={text.noneChosen}
        data-keywords={text.forgetWords}
        onPress={() => ask({ target, one, place: places.snapshot() })}
        data-forget
      >
        <Trash2 size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.forget}
        <KeyCap>{text.forgetKey}</KeyCap>
      </Button>
      {asked !== null && <ForgetDialog {...asked} onClose={() => ask((now) => (now === asked ? null : now))} />}
    </>
  );
}

function ForgetDialog({
  target: { selections, count: atFirst },
  one,
  place,
  onClose,
}: ForgetQuestion & { onClose(): void }) {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  const isHere = useIsMounted();
  const toast = useToast();
  const reportJob = useJobNews();
  const asked = useMark(selections);
  const [lastCount, setLastCount] = useState(atFirst);
  // As many as the person is shown.
  const count = asked.mark?.samples ?? lastCount;
  const held = useHeld({ selections, count: atFirst }, one);
  const [chosen, choose] = useState<What | null>(null);
  // The first choice is one that does something.
  const what = chosen ?? (held === 0 ? 'all' : 'bytes');
  const isOpenYet = !asked.isKnown || (chosen === null && held === 'reading');
  const [failure, setFailure] = useState<Failure | null>(null);
  const shownFailure = failure ?? asked.failure;
  const [isBusy, setBusy] = useState(false);
  const askAgain = (found: number): void => {
    setLastCount(found);
    asked.askAgain();
  };
  const reportFailure = (why: Failure): void => {
    if (!isHere()) return toast({ meaning: 'bad', text: text.notForgotten(describeFailure(why).what), failure: why });
    setBusy(false);
    setFailure(why);
    if (why.kind === 'selection-changed') askAgain(why.found);
  };
  const forget = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const done = await forgetEach(bridge, selections, { what, mark: asked.mark });
    if (!done.ok) return reportFailure(done.failure);
    const { forgotten, job } = done.value;
    if (job === undefined) toast({ meaning: 'ok', text: text.forgotten[what](forgotten) });
    else reportJob(job);
    if (what === 'all') places.note(withoutForgotten(places.snapshot(), place, selections));
    onClose();
  };
  return (
    <Dialog
      title={text.forgetTitle(count, one === null ? null : shownName(one))}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.forgetKeep}
          </Button>
          <Button look="danger" isDisabled={isBusy || isOpenYet || count === 0} onPress={() => void forget()}>
            {isBusy ? text.forgetsNow : text.forgetDo(count)}
          </Button>
        </>
      }
    >
      <WhatField value={what} held={held} count={count} onChange={choose} />
      <p>{text.forgetSentence}</p>
      {asked.mark !== null && <p>{text.forgetMeant(count)}</p>}
      {shownFailure !== null && <FailureNotice failure={shownFailure} />}
    </Dialog>
  );
}

interface WhatFieldProps {
  value: What;
  held: Held;
  count: number;
  onChange(what: What): void;
}

function WhatField({ value, held, count, onChange }: WhatFieldProps) {
  const hasNone = held === 0;
  return (
    <RadioChoice
      label={text.forgetWhat}
      value={value}
      options={[
        { value: 'bytes' as const, text: bytesWords(held, count), isDisabled: hasNone },
        { value: 'all' as const, text: text.forgetAll },
      ]}
      onChange={(next) => onChange(next)}
      {...(hasNone && { hint: text.forgetNoBytes(count) })}
    />
  );
}

/** How many samples have a copy in the vault; null: they are too many to look through. */
type Held = number | null | 'reading';

const bytesWords = (held: Held, count: number): string =>
  typeof held === 'number' && held > 0 && held < count ? text.forgetBytesOf(held, count) : text.forgetBytes;

function useHeld(target: Pick<ActionTarget, 'selections' | 'count'>, one: LibraryRow | null): Held {
  const bridge = useBridge();
  const isLookedFor = one === null && target.count <= mostNamed;
  const { data, error } = useQuery<number, Failure>({
    queryKey: ['library.facts', 'held', target.selections],
    queryFn: async () => {
      const isNeeded = ({ hasBytes }: SampleFacts): boolean => hasBytes;
      return (await valueOf(readFacts(bridge, target, mostNamed, { isNeeded }))).length;
    },
    enabled: isLookedFor,
    // Another question is about what is in the vault by then.
    gcTime: 0,
    retry: false,
  });
  if (one !== null) return one.vault === 'none' ? 0 : 1;
  return !isLookedFor || error !== null ? null : (data ?? 'reading');
}

interface Forgotten {
  forgotten: number;
  /** The job that does it, where it takes long. */
  job: number | undefined;
}

async function forgetEach(
  bridge: Bridge<File>,
  selections: readonly LibrarySelection[],
  { what, mark }: { what: What; mark: SelectionMark | null },
): Promise<Result<Forgotten>> {
  let forgotten = 0;
  let job: number | undefined;
  for (const selection of selections) {
    const expected = selection.kind === 'named' ? null : mark;
    const answer = await bridge.call('library.forget', { selection, what, expected });
    if (!answer.ok) return answer;
    forgotten += answer.value.forgotten;
    job = answer.value.job;
  }
  return success({ forgotten, job });
}

interface TargetWhenAsked {
  /** Null until it is known, and for samples that are named. */
  mark: SelectionMark | null;
  /** Whether the question can be answered: it is known what is meant. */
  isKnown: boolean;
  failure: Failure | null;
  /** The person is asked about what is found now. */
  askAgain(): void;
}

/**
 * The samples that a query finds when a question is asked. They stay the target: the list behind the question keeps
 * changing.
 */
function useMark(selections: readonly LibrarySelection[]): TargetWhenAsked {
  const { mutate, data, error } = useAction('library.meant');
  const query = selections.find(({ kind }) => kind === 'query');
  const ask = (): void => {
    if (query !== undefined) mutate({ selection: query });
  };
  useEffect(ask, [mutate, query]);
  return { mark: data ?? null, isKnown: query === undefined || data !== undefined, failure: error, askAgain: ask };
}

type Chosen = Pick<LibraryPlace, 'selection' | 'current'>;
type ChosenIn = Chosen & Pick<LibraryPlace, 'searched'>;

/**
 * What is forgotten is neither ticked nor chosen any more; what was ticked or chosen since it was asked about stays.
 */
function withoutForgotten(now: ChosenIn, asked: ChosenIn, forgotten: readonly LibrarySelection[]): Chosen {
  const named = new Set(forgotten.flatMap((selection) => (selection.kind === 'named' ? selection.hashes : [])));
  const kept = now.selection.kind === 'these' ? withTicks(now.selection, named, false) : now.selection;
  // All that a search finds is the same selection in every list.
  const isSame = now.selection === asked.selection && now.searched === asked.searched;
  const isChosenStill =
    now.current !== null && (named.size > 0 ? !named.has(now.current.hash) : now.current !== asked.current);
  return { selection: isSame ? noRows : kept, current: isChosenStill ? now.current : null };
}
