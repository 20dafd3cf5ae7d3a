import { Tag, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog as PopoverDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { TickedFiles, UploadDraft } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { TickBox } from '../../components/data-grid/grid-row.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { TlpMenu } from '../../components/tlp-menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useTagSuggestions } from '../../features/sample/sample-changes.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { type Draft, useWrites } from './draft-context.tsx';
import { pressedOnce } from './file-columns.tsx';
import { text } from './strings.ts';
import styles from './upload.module.css';

/** What is done with all ticked files at once. */
export function TickedBar({ draft, summary, removal }: { draft: Draft; summary: UploadDraft; removal: Removal }) {
  const { ticked, tickedSamples } = summary;
  const words = text.tickedFiles(tickedSamples, ticked);
  return (
    <div
      className={classNames(layout.wrapRow, layout.top, styles.bar)}
      role="group"
      aria-label={words}
      data-row-actions={words}
    >
      <span className={classNames(typography.note, styles.barWords)} data-figures>
        {words}
      </span>
      <TagTicked draft={draft} summary={summary} />
      <TlpMenu
        label={text.setTlpMenu}
        text={text.setTlp}
        none={text.noTlp}
        isDisabled={tickedSamples === 0}
        why={words}
        onChoose={(tlp) => void draft.writes.change({ kind: 'ticked' }, { tlp })}
      />
      <FlagTicked draft={draft} summary={summary} flag="virusTotal" />
      <FlagTicked draft={draft} summary={summary} flag="sandbox" />
      <RemoveTicked isNone={ticked === 0} removal={removal} />
    </div>
  );
}

interface FlagTickedProps {
  draft: Draft;
  summary: UploadDraft;
  flag: 'virusTotal' | 'sandbox';
}

/** One box for all ticked files: files whose TLP forbids it stay unflagged, and their number is shown. */
function FlagTicked({ draft: { workspace, writes: given }, summary, flag }: FlagTickedProps) {
  const toast = useToast();
  const writes = useWrites(given);
  const receiver = visibleText(workspace.options.receivers[flag]);
  const state = flagState(summary, flag, writes.flagsTicked(flag, summary));
  const fill = async (): Promise<void> => {
    const outcome = await writes.change({ kind: 'ticked' }, { [flag]: state !== 'all' });
    if (outcome !== null) toast({ meaning: 'info', text: text.flagged(receiver, outcome.changed, outcome.refused) });
  };
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={state === 'some' ? 'mixed' : state === 'all'}
      aria-label={text.flagAll(receiver)}
      className={classNames(layout.inline6, surface.control, styles.fill)}
      disabled={summary.tickedSamples === 0}
      data-why={text.tickedFiles(summary.tickedSamples, summary.ticked)}
      onKeyDown={pressedOnce}
      onClick={() => void fill()}
    >
      <TickBox state={state} />
      <bdi className={typography.cut}>{receiver}</bdi>
    </button>
  );
}

/** `said`: what a press set it to that the numbers do not know of yet; the next press takes it back. */
function flagState(summary: UploadDraft, flag: FlagTickedProps['flag'], said: boolean | null): 'all' | 'some' | 'none' {
  const [on, able] = [summary[flag].files, summary.toSend.files - summary.closed];
  if (said !== null && able > 0) return said ? 'all' : 'none';
  if (on === 0) return 'none';
  return on >= able ? 'all' : 'some';
}

/** More than one is a question first. */
function RemoveTicked({ isNone, removal: { request, ask, close, remove } }: { isNone: boolean; removal: Removal }) {
  return (
    <>
      <Button look="quiet" isDisabled={isNone} why={text.tickedFiles(0, 0)} onPress={ask}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.remove}
        <KeyCap>{text.removeKey}</KeyCap>
      </Button>
      {request !== null && (
        <Dialog
          title={text.removeTitle(request.files)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepFiles}
              </Button>
              <Button look="danger" onPress={() => remove(request)}>
                {text.removeFiles(request.files)}
              </Button>
            </>
          }
        >
          <p>{text.removeThen}</p>
        </Dialog>
      )}
    </>
  );
}

const meant = { kind: 'ticked' } as const;

/** Tags for every ticked file, as they are typed; what was added here can be taken off again. */
function TagTicked({ draft, summary: { ticked, tickedSamples } }: { draft: Draft; summary: UploadDraft }) {
  const title = text.addTagTitle(tickedSamples, ticked);
  return (
    <DialogTrigger>
      <Button letter="T" isDisabled={tickedSamples === 0} why={text.tickedFiles(tickedSamples, ticked)}>
        <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.addTag}
      </Button>
      <Popover
        className={classNames(surface.popover, styles.popover)}
        placement="bottom start"
        offset={4}
        containerPadding={8}
      >
        <PopoverDialog className={classNames(styles.tagDialog)} aria-label={title}>
          <AddedTags draft={draft} title={title} />
        </PopoverDialog>
      </Popover>
    </DialogTrigger>
  );
}

function AddedTags({ draft: { writes }, title }: { draft: Draft; title: string }) {
  const suggestions = useTagSuggestions();
  const [added, setAdded] = useState<readonly string[]>([]);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={field} className={layout.stack8}>
      <TagField
        label={title}
        tags={added}
        {...suggestions}
        onAdd={(tag) => {
          setAdded((before) => [...before, tag]);
          void writes.change(meant, { addTags: [tag] });
        }}
        onRemove={(tag) => {
          setAdded((before) => before.filter((each) => each !== tag));
          void writes.change(meant, { removeTags: [tag] });
        }}
        onTlp={(tlp) => void writes.change(meant, { tlp })}
      />
      <p className={typography.hint}>{text.addTagHint}</p>
    </div>
  );
}

/** Taking the ticked files out of the draft: one at once, several after a question. */
interface Removal {
  /** The files that the question is about, while it is asked: they go or none does, whatever is ticked by then. */
  request: TickedFiles | null;
  ask(): void;
  close(): void;
  remove(files: TickedFiles): void;
}

export function useRemoval({ writes }: Draft): Removal {
  const toast = useToast();
  const [request, setRequest] = useState<TickedFiles | null>(null);
  const isAsking = useRef(false);
  const report = (): void => toast({ meaning: 'ok', text: text.removed });
  // The host counts the ticked files after the last tick: the numbers on the page may be older.
  const ask = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    const ticked = await writes.removeSingle();
    isAsking.current = false;
    if (!ticked.ok) return;
    if (ticked.value.files === 1) report();
    else if (ticked.value.files > 1) setRequest(ticked.value);
  };
  const remove = ({ mark }: TickedFiles): void => {
    setRequest(null);
    void writes.remove({ kind: 'ticked', mark }).then((answer) => answer.ok && report());
  };
  return { request, ask: () => void ask(), close: () => setRequest(null), remove };
}
