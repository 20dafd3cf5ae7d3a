import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { NoteField } from './note-field.tsx';
import { NoteText } from './note-text.tsx';
import { PartHead } from './part-head.tsx';
import styles from './note.module.css';
import parts from './parts.module.css';
import { text } from './text.ts';
import { useKeptNote } from './use-kept-note.ts';

/** What this desk remembers of the sample: as it reads, and where it is written. Saved by itself. */
export function NotePart({ sha256, stored }: { sha256: string; stored: string }) {
  const { kept, state } = useKeptNote(sha256, stored);
  const [chosen, choose] = useState<'read' | 'write' | null>(null);
  const id = useId();
  const source = state.isLoaded ? state.text : stored;
  const isWriting = (chosen ?? (source === '' ? 'write' : 'read')) === 'write';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void kept.flush();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl S anywhere in it
    <section className={parts.part} aria-labelledby="note" onKeyDown={onKeyDown}>
      <PartHead
        id="note"
        title={text.note}
        aside={
          <span role="status" className={styles.saving}>
            {text.noteStates[state.saving]}
          </span>
        }
        action={
          isWriting ? (
            source !== '' && (
              <Button size="small" look="quiet" onPress={() => choose('read')}>
                {text.noteDone}
              </Button>
            )
          ) : (
            <Button size="small" look="quiet" onPress={() => choose('write')}>
              {text.noteEdit}
            </Button>
          )
        }
      />
      {isWriting ? (
        <NoteField id={id} kept={kept} state={state} takesFocus={chosen === 'write'} onWrite={() => choose('write')} />
      ) : (
        <NoteText source={source} />
      )}
      {state.failure && (
        <div className={parts.told}>
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
