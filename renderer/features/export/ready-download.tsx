import type { ReactNode } from 'react';
import type { BrowserDownload } from '../../../shared/domain/export.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import styles from './export.module.css';
import { SaveLink } from './save-link.tsx';
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

/** The one thing left to do in this dialog: Enter does it. */
export function ReadyDownload({ ready, words, shownName = ready.fileName, onClose, children }: ReadyDownloadProps) {
  return (
    <Dialog
      title={words.ready}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          <SaveLink ready={ready} verb={words.save} shownName={shownName} takesFocus onSaving={onClose} />
        </>
      }
    >
      <p className={styles.sentence}>{words.readySentence}</p>
      <p className={styles.fileName}>{ready.fileName}</p>
      {children}
    </Dialog>
  );
}
