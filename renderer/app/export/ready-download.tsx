import type { ReactNode } from 'react';
import type { BrowserDownload } from '../../../shared/domain/export.ts';
import { exportUrl } from '../../bridge/export-url.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useToast } from '../../components/toasts.tsx';
import styles from './export.module.css';
import { text } from './text.ts';

export interface ReadyWords {
  ready: string;
  readySentence: string;
  save: string;
}

export interface ReadyDownloadProps {
  ready: BrowserDownload;
  words: ReadyWords;
  /** What the file is called where it is told of; its name may be longer than a sentence has room for. */
  shownName?: string;
  onClose(): void;
  /** What is to be known before it is saved. */
  children?: ReactNode;
}

/** The one thing left to do in this dialog: Enter does it. React focuses no link by itself. */
const takeFocus = (link: HTMLAnchorElement | null): void => link?.focus();

/** The browser takes it from here: by a link, because only a person's own click is always allowed to save. Whether it arrives, the browser alone knows. */
export function ReadyDownload({ ready, words, shownName = ready.fileName, onClose, children }: ReadyDownloadProps) {
  const toast = useToast();
  const saving = (): void => {
    toast({ meaning: 'info', text: text.saving(shownName) });
    onClose();
  };
  return (
    <Dialog
      title={words.ready}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          <a ref={takeFocus} className={styles.save} href={exportUrl(ready.id)} download={ready.fileName} onClick={saving}>{words.save}</a>
        </>
      }
    >
      <p className={styles.sentence}>{words.readySentence}</p>
      <p className={styles.fileName}>{ready.fileName}</p>
      {children}
    </Dialog>
  );
}
