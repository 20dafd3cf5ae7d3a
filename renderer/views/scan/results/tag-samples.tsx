import { Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { ScanFilter } from '../../../../shared/domain/scan.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { words } from '../../../components/format.ts';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { TagField } from '../../../components/tag-field/tag-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { queueChange, useTagSuggestions } from '../../../features/sample/sample-changes.ts';
import { useIsMounted } from '../../../state/presence.ts';
import { text } from './strings.ts';

interface TagSamplesProps {
  jobId: number;
  /** What is listed. */
  filter: ScanFilter;
  /** The sample that is shown; null: none is. */
  one: { sha256: string; tags: readonly string[] } | null;
  /** The job has one file: it alone can be meant. */
  isSingle: boolean;
}

/** Local tags for the sample that is shown, or for all that are listed. */
export function TagSamples(props: TagSamplesProps) {
  // As it was when the dialog opened: a job that runs may show another file before the tags are saved.
  const [asked, ask] = useState<TagSamplesProps | null>(null);
  return (
    <>
      <Button
        letter="T"
        isDisabled={props.isSingle && props.one === null}
        why={text.noFileShown}
        onPress={() => ask({ ...props })}
      >
        <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.tag}
      </Button>
      {asked !== null && <TagDialog {...asked} onClose={() => ask((now) => (now === asked ? null : now))} />}
    </>
  );
}

type Scope = 'one' | 'listed';

function TagDialog({ jobId, filter, one, isSingle, onClose }: TagSamplesProps & { onClose(): void }) {
  const bridge = useBridge();
  const suggestions = useTagSuggestions();
  const report = useTaggingNews();
  const reportNotSaved = useNotSavedNews();
  const isHere = useIsMounted();
  const total = useListedTotal(jobId, filter, !isSingle);
  const [scope, setScope] = useState<Scope>(one === null ? 'listed' : 'one');
  const [ofOne, setOfOne] = useState<readonly string[]>(one?.tags ?? []);
  const [ofListed, setOfListed] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  const isOne = scope === 'one' && one !== null;
  const [tags, setTags] = isOne ? [ofOne, setOfOne] : [ofListed, setOfListed];
  const save = async (): Promise<void> => {
    setBusy(true);
    const done = await queueChange(bridge, () =>
      isOne
        ? tagOne(bridge, one.sha256, one.tags, tags)
        : tagListed(bridge, { kind: 'scan', jobId, filter }, total, tags),
    );
    setBusy(false);
    if (!done.ok) return isHere() ? setFailure(done.failure) : reportNotSaved(done.failure, () => void save());
    report(done.value);
    onClose();
  };
  return (
    <Dialog
      title={text.tagTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button
            look="primary"
            isDisabled={isBusy || (!isOne && (tags.length === 0 || total === 0))}
            onPress={() => void save()}
          >
            {isOne ? text.tagSave : text.tagAdd(total)}
          </Button>
        </>
      }
    >
      {!isSingle && one !== null && (
        <RadioChoice
          label={text.tagWhich}
          value={scope}
          options={scopesOf(total)}
          onChange={(next) => setScope(next)}
        />
      )}
      <div ref={field}>
        <TagField
          key={scope}
          label={text.tagField}
          tags={tags}
          {...suggestions}
          onAdd={(tag) => setTags((before) => [...before, tag])}
          onRemove={(tag) => setTags((before) => before.filter((each) => each !== tag))}
        />
      </div>
      <p>{text.tagHint}</p>
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/** How many samples are listed; 0 until that is known, or where it does not matter. */
function useListedTotal(jobId: number, filter: ScanFilter, enabled: boolean): number {
  const { data } = useOperation('scans.groups', { jobId, by: 'file', filter, offset: 0, limit: 1 }, { enabled });
  return data?.total ?? 0;
}

const scopesOf = (total: number): { value: Scope; text: string }[] => [
  { value: 'one', text: text.tagThis },
  { value: 'listed', text: text.tagListed(total) },
];

/** Reports how many samples were tagged, with Undo if it reverts exactly that. */
function useTaggingNews(): (done: Tagging) => void {
  const bridge = useBridge();
  const toast = useToast();
  const reported = (reply: Result<unknown>): void => {
    if (!reply.ok)
      toast({ meaning: 'bad', text: text.notUndone(describeFailure(reply.failure).what), failure: reply.failure });
  };
  const takeBack = ({ undo }: Tagging): Promise<void> =>
    queueChange(bridge, async () => {
      for (const step of undo) reported(await bridge.call('samples.tag', step));
    });
  return (done) => {
    if (done.changed === 0) return toast({ meaning: 'info', text: text.nothingTagged });
    toast({
      meaning: 'ok',
      text: text.tagged(done.changed, done.of),
      ...(done.undo.length === 0 ? {} : { undo: () => void takeBack(done) }),
    });
  };
}

/** For who has left the dialog. */
function useNotSavedNews(): (failure: Failure, again: () => void) => void {
  const toast = useToast();
  return (failure, again) =>
    toast({
      meaning: 'bad',
      text: text.tagsNotSaved(describeFailure(failure).what),
      failure,
      action: { text: words.tryAgain, act: again },
    });
}

type Samples = OperationInput<'samples.tag'>['samples'];

/** What was done, and what would take exactly that back. */
interface Tagging {
  changed: number;
  /** How many were meant. */
  of: number;
  undo: readonly { samples: Samples; add: string[]; remove: string[] }[];
}

/** Sets the tags of one sample. What it had already is not taken from it by Undo. */
async function tagOne(
  bridge: Bridge<File>,
  sha256: string,
  before: readonly string[],
  after: readonly string[],
): Promise<Result<Tagging>> {
  const samples: Samples = { kind: 'named', sha256s: [sha256] };
  const add = after.filter((tag) => !before.includes(tag));
  const remove = before.filter((tag) => !after.includes(tag));
  if (add.length + remove.length === 0) return success({ changed: 0, of: 1, undo: [] });
  const answer = await bridge.call('samples.tag', { samples, add, remove });
  return answer.ok
    ? success({ changed: answer.value.changed, of: 1, undo: [{ samples, add: remove, remove: add }] })
    : answer;
}

/**
 * Gives the same tags to every sample listed, tag by tag: only a tag that none of them had can be undone for all of
 * them without removing it from one that had it before. `total`: how many there are.
 */
async function tagListed(
  bridge: Bridge<File>,
  samples: Samples,
  total: number,
  tags: readonly string[],
): Promise<Result<Tagging>> {
  const undo: Tagging['undo'][number][] = [];
  let changed = 0;
  for (const tag of tags) {
    const answer = await bridge.call('samples.tag', { samples, add: [tag], remove: [] });
    if (!answer.ok) return answer;
    changed = Math.max(changed, answer.value.changed);
    if (answer.value.changed === total) undo.push({ samples, add: [], remove: [tag] });
  }
  return success({ changed, of: total, undo: undo.length === tags.length ? undo : [] });
}
