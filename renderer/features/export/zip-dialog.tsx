import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice, type Retry } from '../../components/failure-notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useOfferedDialog } from '../../state/app-dialogs.tsx';
import type { ReportedAction } from '../../state/reported-action.ts';
import typography from '../../styles/typography.module.css';
import { ExportFolder, useZipProtection, type ZipProtection, ZipProtectionFields } from './export-fields.tsx';
import { ExportReadyDialog, folderOf, readyDialog } from './ready-download.tsx';
import { text } from './strings.ts';

interface ZipExport extends ZipProtection {
  to: 'folder' | 'browser';
}

/** The state of an export: the one that `useAction` returns. */
interface ExportUnderWay {
  data: ExportResult | undefined;
  error: Failure | null;
  isPending: boolean;
  variables: ZipExport | undefined;
}

interface ExportZipDialogProps {
  title: string;
  sentence: string;
  exporting: ExportUnderWay;
  /** The last export as data, for when it failed. */
  retry: Retry | undefined;
  onExport(how: ZipExport): void;
  shownName: ZipWords['shownName'];
  onClose(): void;
}

/**
 * What leaves this computer in a password ZIP, so it asks. To a folder of the host's, or as a download of the browser,
 * as the host can.
 */
export function ExportZipDialog({
  title,
  sentence,
  exporting,
  retry,
  onExport,
  shownName,
  onClose,
}: ExportZipDialogProps) {
  const { data: host } = useOperation('host.describe', {});
  const { data, error, isPending, variables } = exporting;
  const [protection, setProtection] = useZipProtection();
  if (data?.kind === 'browser')
    return <ExportReadyDialog ready={data} shownName={shownName(data.fileName)} onClose={onClose} />;

  const canBrowse = host?.capabilities.browserDownload ?? false;
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const send = (to: ZipExport['to']): void => onExport({ ...protection, to });
  const blocked = isPending || protection.password === '';
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          {canBrowse && (
            <Button look={hasFolder ? 'default' : 'primary'} isDisabled={blocked} onPress={() => send('browser')}>
              {text.toBrowser}
            </Button>
          )}
          {(hasFolder || !canBrowse) && (
            <Button look="primary" isDisabled={blocked || !hasFolder} onPress={() => send('folder')}>
              {isPending ? text.exporting : text.toFolder}
            </Button>
          )}
        </>
      }
    >
      <p className={typography.sentence}>{sentence}</p>
      <ZipProtectionFields value={protection} onChange={setProtection} />
      {host && <ExportFolder host={host} />}
      {error && <FailureNotice failure={error} retry={retry} onRetry={() => variables && send(variables.to)} />}
    </Dialog>
  );
}

interface ZipWords {
  /** The name of the file in a sentence: its real name may be too long for one. */
  shownName(fileName: string): string;
  /** The message that it lies in a folder. */
  exportedText(shownName: string, folder: string): string;
  failureText(why: string): string;
}

/**
 * The place of a ZIP is reported; one for the browser is shown in the dialog, and offered to a person who has left
 * that.
 */
export function useReportedZip(
  { shownName, exportedText, failureText }: ZipWords,
  onClose: () => void,
): ReportedAction<ExportResult> {
  const toast = useToast();
  const offer = useOfferedDialog();
  return {
    report: (result, isHere) => {
      if (result.kind === 'folder')
        toast({ meaning: 'ok', text: exportedText(shownName(result.fileName), folderOf(result)) });
      else if (!isHere) offer(readyDialog({ ready: result, words: text, shownName: shownName(result.fileName) }));
    },
    failureText,
    onClose: ({ kind }) => {
      if (kind === 'folder') onClose();
    },
  };
}
