import type { ReactNode } from 'react';
import type { BrowserDownload, ExportResult } from '../../../shared/domain/export.ts';
import { exportUrl } from '../../bridge/page-session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { type AppDialog, useOfferedDialog } from '../../state/app-dialogs.tsx';
import type { ReportedAction } from '../../state/reported-action.ts';
import { classNames } from '../../styles/class-names.ts';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './export.module.css';
import { text } from './strings.ts';

export interface ReadyWords {
  ready: string;
  readySentence: string;
  save: string;
}

interface ReadyDownloadProps {
  ready: BrowserDownload;
  words: ReadyWords;
  /** The name of the file in messages; its real name may be too long for a sentence. */
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
      <p className={typography.sentence}>{words.readySentence}</p>
      <p className={classNames(typography.code, typography.anywhere)}>{ready.fileName}</p>
      {children}
    </Dialog>
  );
}

interface SaveLinkProps {
  ready: BrowserDownload;
  verb: string;
  /** What it is called where several links have one verb. */
  label?: string;
  /** The name of the file in messages; its real name may be too long for a sentence. */
  shownName?: string;
  /** Has the focus when it appears. */
  takesFocus?: boolean;
  /** The browser has taken it: it cannot be saved once more. */
  onSaving(): void;
}

/** React focuses no link by itself. */
const takeFocus = (link: HTMLAnchorElement | null): void => link?.focus();

/**
 * The browser takes it from here: by a link, because only a person's own click is always allowed to save. Whether it
 * arrives, the browser alone knows.
 */
export function SaveLink({
  ready,
  verb,
  label,
  shownName = ready.fileName,
  takesFocus = false,
  onSaving,
}: SaveLinkProps) {
  const toast = useToast();
  const saving = (): void => {
    toast({ meaning: 'info', text: text.saving(shownName) });
    onSaving();
  };
  return (
    <a
      {...(takesFocus ? { ref: takeFocus } : {})}
      className={classNames(surface.control, styles.save)}
      href={exportUrl(ready.id)}
      download={ready.fileName}
      onClick={saving}
      aria-label={label}
    >
      {verb}
    </a>
  );
}

/** What is ready for the browser, offered to who has left where it was asked for. */
export const readyDialog = (offered: Omit<ReadyDownloadProps, 'onClose'>): AppDialog => ({
  draw: (close) => <ReadyDownload {...offered} onClose={close} />,
  words: offered.words.ready,
  verb: offered.words.save,
});

/** A ZIP of samples waits for the browser. */
export function ExportReadyDialog(props: Omit<ReadyDownloadProps, 'words'>) {
  return <ReadyDownload {...props} words={text} />;
}

interface ReportedDownload {
  words: ReadyWords;
  failureText(why: string): string;
}

/**
 * A file that is ready for the browser is shown in the dialog; if the person has left that, it is offered in the view
 * that is open by then.
 */
export function useReportedDownload<Ready extends ExportResult>({
  words,
  failureText,
}: ReportedDownload): ReportedAction<Ready> {
  const offer = useOfferedDialog();
  const report = (ready: Ready, isHere: boolean): void => {
    if (!isHere && ready.kind === 'browser') offer(readyDialog({ ready, words }));
  };
  return { report, failureText };
}

const longestFolder = 48;

/** The folder of an exported file, as short as a notification needs it. */
export const folderOf = ({ path, fileName }: { path: string; fileName: string }): string =>
  cutMiddle(path.slice(0, -fileName.length - 1), longestFolder);
