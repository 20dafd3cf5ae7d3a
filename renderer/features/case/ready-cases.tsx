import { useState } from 'react';
import type { PreparedCase } from '../../../shared/domain/case.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ReadyDownload } from '../export/ready-download.tsx';
import { SaveLink } from '../export/save-link.tsx';
import { CaseNotes } from './case-notes.tsx';
import styles from './case.module.css';
import { text } from './strings.ts';

export interface ReadyCasesProps {
  /** One case, in its formats; at least one. */
  prepared: readonly PreparedCase[];
  onClose(): void;
}

/** The files of a case wait for the browser, which takes one with each click. */
export function ReadyCases({ prepared, onClose }: ReadyCasesProps) {
  const [first] = prepared;
  if (first === undefined) return null;
  // The same samples in each: bytes are in an event alone.
  const notes = (
    <CaseNotes prepared={{ ...first, withoutBytes: Math.max(...prepared.map(({ withoutBytes }) => withoutBytes)) }} />
  );
  if (prepared.length === 1)
    return (
      <ReadyDownload ready={first} words={text} onClose={onClose}>
        {notes}
      </ReadyDownload>
    );
  return (
    <Dialog title={text.ready} isOpen onClose={onClose} actions={<Button onPress={onClose}>{text.close}</Button>}>
      <p className={styles.sentence}>{text.readyAll}</p>
      <ReadyFiles prepared={prepared} />
      {notes}
    </Dialog>
  );
}

function ReadyFiles({ prepared }: Pick<ReadyCasesProps, 'prepared'>) {
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const next = prepared.find(({ id }) => !saved.has(id));
  return (
    <ul className={styles.files}>
      {prepared.map((file) => (
        <li key={file.id}>
          <span>{file.fileName}</span>
          {saved.has(file.id) ? (
            <span className={styles.purpose}>{text.saving}</span>
          ) : (
            <SaveLink
              ready={file}
              verb={text.saveFile}
              label={`${text.saveFile} ${file.fileName}`}
              takesFocus={file === next}
              onSaving={() => setSaved(new Set([...saved, file.id]))}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
