import type { ExportResult } from '../../../shared/domain/export.ts';
import { exportUrl } from '../../bridge/export-url.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import styles from './export.module.css';
import { text } from './text.ts';

export interface ReadyDownloadProps {
  ready: Extract<ExportResult, { kind: 'browser' }>;
  words: { title: string; sentence: string; save: string };
  onSave(): void;
  onClose(): void;
}

/** The browser takes it from here: by a link, because only a person's own click is always allowed to save. */
export function ReadyDownload({ ready, words, onSave, onClose }: ReadyDownloadProps) {
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing left to do in this dialog */}
          <a className={styles.save} href={exportUrl(ready.id)} download={ready.fileName} autoFocus onClick={onSave}>{words.save}</a>
        </>
      }
    >
      <p className={styles.sentence}>{words.sentence}</p>
      <p className={styles.fileName}>{ready.fileName}</p>
    </Dialog>
  );
}
