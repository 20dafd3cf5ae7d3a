import type { ReactNode } from 'react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useDiscardQuestion } from '../../state/app-dialogs.tsx';
import { useStartedJob } from '../../state/jobs.tsx';
import type { ReportedAction } from '../../state/reported-action.ts';
import typography from '../../styles/typography.module.css';
import { ExportFolder } from './export-fields.tsx';
import { type ReadyWords, useReportedDownload } from './ready-download.tsx';
import { text } from './strings.ts';

interface ExportVerbs {
  toFolder: string;
  toBrowser: string;
  /** The job is asked for. */
  starting: string;
}

interface ExportDialogProps<I> {
  title: string;
  /** null: what was chosen so far cannot be sent. */
  input: I | null;
  /** Into the folder, as a job. */
  start: ExportAction<I, unknown>;
  /** By the browser. */
  prepare: ExportAction<I, unknown>;
  words: ExportVerbs;
  /** Instead of the question, once it is ready for the browser; null until then. */
  ready: ReactNode;
  /** The person typed text that would be lost: a click beside the dialog does nothing, and Escape asks. */
  isTyped?: boolean;
  onClose(): void;
  /** Given the way out that Enter takes. */
  children: ReactNode | ((leave: () => void) => ReactNode);
}

/**
 * Something leaves this computer, so it asks: to the export folder as a job, or as a download of the browser, as the
 * host can.
 */
export function ExportDialog<I>({
  title,
  input,
  start,
  prepare,
  words,
  ready,
  isTyped = false,
  onClose,
  children,
}: ExportDialogProps<I>) {
  const { data: host } = useOperation('host.describe', {});
  // The running export has the text, and continues with it.
  const typed = useDiscardQuestion(isTyped && !start.isPending && !prepare.isPending, text.typedLost);
  if (ready !== null) return ready;
  const begin = (): void => {
    if (input === null) return;
    prepare.reset();
    start.mutate(input);
  };
  const offer = (): void => {
    if (input === null) return;
    start.reset();
    prepare.mutate(input);
  };
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const canBrowse = host?.capabilities.browserDownload ?? false;
  const isBlocked = input === null || start.isPending || prepare.isPending;
  const leave = (): void => {
    if (isBlocked) return;
    if (hasFolder) begin();
    else if (canBrowse) offer();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={() => typed.leave(onClose)}
      staysOnClickBeside={isTyped}
      wide
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          {canBrowse && (
            <Button look={hasFolder ? 'default' : 'primary'} isDisabled={isBlocked} onPress={offer}>
              {prepare.isPending ? text.preparing : words.toBrowser}
            </Button>
          )}
          {(hasFolder || !canBrowse) && (
            <Button look="primary" isDisabled={isBlocked || !hasFolder} onPress={begin}>
              {start.isPending ? words.starting : words.toFolder}
            </Button>
          )}
        </>
      }
    >
      {typeof children === 'function' ? children(leave) : children}
      {host && <ExportFolder host={host} />}
      {host && !hasFolder && !host.capabilities.chooseFolder && !canBrowse && (
        <p className={typography.sentence}>{text.noFolderHere}</p>
      )}
      {start.error && <FailureNotice failure={start.error} onAgain={begin} />}
      {prepare.error && <FailureNotice failure={prepare.error} onAgain={offer} />}
      {typed.question}
    </Dialog>
  );
}

/** The state of an action for one kind of export. */
interface ExportAction<I, O> {
  data: O | undefined;
  error: Failure | null;
  isPending: boolean;
  reset(): void;
  mutate(input: I): void;
}

interface ExportTexts extends ReadyWords {
  started(job: number): string;
  notMade(why: string): string;
}

interface ReportedExport<Ready> {
  start: ReportedAction<Job>;
  prepare: ReportedAction<Ready>;
}

/** The result of an export of either kind is reported in the view that is open by then. */
export function useReportedExport<Ready extends ExportResult>(
  words: ExportTexts,
  onClose: () => void,
): ReportedExport<Ready> {
  const failureText = words.notMade;
  const prepare = useReportedDownload<Ready>({ words, failureText });
  return { start: { report: useStartedJob(words.started), failureText, onClose }, prepare };
}
