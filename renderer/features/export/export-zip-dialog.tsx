import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice, type Retry } from '../../components/failure-notice.tsx';
import { ExportFolder } from './export-folder.tsx';
import { ExportReadyDialog } from './export-ready-dialog.tsx';
import styles from './export.module.css';
import { text } from './text.ts';
import type { ZipWords } from './use-told-zip.ts';
import { useZipProtection, type ZipProtection, ZipProtectionFields } from './zip-protection.tsx';

export interface ZipExport extends ZipProtection {
  to: 'folder' | 'browser';
}

/** How far an export is: what `useAction` says of it. */
export interface ExportUnderWay {
  data: ExportResult | undefined;
  error: Failure | null;
  isPending: boolean;
  variables: ZipExport | undefined;
}

export interface ExportZipDialogProps {
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
 * What leaves the desk in a password ZIP, so it asks. To a folder of the host's, or as a download of the browser, as
 * the host can.
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
      <p className={styles.sentence}>{sentence}</p>
      <ZipProtectionFields value={protection} onChange={setProtection} />
      {host && <ExportFolder host={host} />}
      {error && <FailureNotice failure={error} retry={retry} onRetry={() => variables && send(variables.to)} />}
    </Dialog>
  );
}
