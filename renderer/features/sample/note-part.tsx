import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { longestNote } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LimitedTextArea } from '../../components/limited-text-area.tsx';
import { shortcutKeyOf } from '../../components/shortcut-key.ts';
import { keys, spokenKeys } from '../../keyboard/keys.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { type KeptNote, type NoteState, useKeptNote } from './kept-note.ts';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import { text } from './strings.ts';

/** What this computer remembers of the sample: as it reads, and where it is written. Saved by itself. */
export function NotePart({ sha256, stored }: { sha256: string; stored: string }) {
  const { kept, state } = useKeptNote(sha256, stored);
  const [chosen, choose] = useState<'read' | 'write' | null>(null);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // A field that is not shown yet takes the focus as it comes.
  const write = (): void => {
    choose('write');
    field.current?.focus();
  };
  const source = state.isLoaded ? state.text : stored;
  const isWriting = (chosen ?? (source === '' ? 'write' : 'read')) === 'write';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (shortcutKeyOf(event) !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void kept.flush();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl S anywhere in it
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="note" onKeyDown={onKeyDown}>
      <PartHead
        id="note"
        title={text.note}
        aside={
          <span role="status" className={typography.hint}>
            {text.noteStates[state.saving]}
          </span>
        }
        action={
          <>
            {isWriting && source !== '' && (
              <Button size="small" look="quiet" onPress={() => choose('read')}>
                {text.noteDone}
              </Button>
            )}
            <Button size="small" look="quiet" letter={keys.sample.note.keys} onPress={write}>
              {isWriting ? text.noteWrite : text.noteEdit}
            </Button>
          </>
        }
      />
      {isWriting ? (
        <NoteField
          id={id}
          field={field}
          kept={kept}
          state={state}
          takesFocus={chosen === 'write'}
          onWrite={() => choose('write')}
        />
      ) : (
        <NoteText source={source} />
      )}
      {state.failure && (
        <div className={styles.reported}>
          <FailureNotice
            failure={state.failure}
            after={state.isKeptHere ? text.noteFailed.browser : text.noteFailed.nowhere}
            retry={{ name: 'library.note', input: { sha256, text: state.text } }}
            onRetry={() => void kept.flush()}
          />
        </div>
      )}
    </section>
  );
}

interface NoteFieldProps {
  id: string;
  field: RefObject<HTMLTextAreaElement | null>;
  kept: KeptNote;
  state: NoteState;
  /** It was asked for. */
  takesFocus: boolean;
  /** The person writes: what shows the note stays with its field. */
  onWrite(): void;
}

/** Where a note is written: what is typed is kept from the first letter on. */
function NoteField({ id, field, kept, state, takesFocus, onWrite }: NoteFieldProps) {
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [field, takesFocus]);
  return (
    <LimitedTextArea
      ref={field}
      id={id}
      className={styles.noteField}
      value={state.text}
      longest={longestNote}
      words={text.noteLimit}
      placeholder={text.notePlaceholder}
      disabled={!state.isLoaded}
      aria-label={text.noteField}
      aria-keyshortcuts={spokenKeys(keys.sample.saveNote.keys)}
      onFocus={onWrite}
      onBlur={() => void kept.flush()}
      onWrite={(written) => kept.edit(written)}
    />
  );
}

interface SourceProps {
  source: string;
}

/**
 * Its reader is loaded with the first note that is shown. Where that cannot be had, as when the host has gone, the text
 * is shown as it was written.
 */
const MarkdownView = lazy(async (): Promise<{ default: ComponentType<SourceProps> }> => {
  try {
    return { default: (await import('./markdown-view.tsx')).MarkdownView };
  } catch {
    return { default: PlainNote };
  }
});

const charactersShown = 20_000;

function PlainNote({ source }: SourceProps) {
  return (
    <p className={classNames(typography.asWritten, styles.plainNote)} dir="auto">
      {visibleText(source.length > charactersShown ? `${source.slice(0, charactersShown)}…` : source)}
    </p>
  );
}

/** A note as it reads. */
function NoteText({ source }: SourceProps) {
  return (
    <Suspense fallback={<PlainNote source={source} />}>
      <MarkdownView source={source} />
    </Suspense>
  );
}
