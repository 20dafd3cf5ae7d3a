import { useQueryClient } from '@tanstack/react-query';
import type { ExportResult } from '../../../shared/domain/export.ts';
import { ExportFolder } from '../export/export-folder.tsx';
import { ExportReadyDialog } from '../export/export-ready-dialog.tsx';
import { text as exportText } from '../export/text.ts';
import { useZipProtection, ZipProtectionFields } from '../export/zip-protection.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useToast } from '../../components/toasts.tsx';
import styles from './sample.module.css';
import { text } from './text.ts';

const longestFolder = 48;

/** Exports are named by SHA-256; its first twelve characters stand for it, as in tables. */
const shortName = (fileName: string): string => fileName.replace(/^([0-9a-f]{12})[0-9a-f]{52}\.zip$/, '$1');
const folderOf = ({ path, fileName }: Extract<ExportResult, { kind: 'folder' }>): string => path.slice(0, -fileName.length - 1);

/** A sample leaves the desk, so it asks. To a folder of the host's, or as a download of the browser, as the host can. */
export function ExportDialog({ sha256, onClose }: { sha256: string; onClose(): void }) {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, error, data, variables } = useAction('samples.exportZip');
  const [protection, setProtection] = useZipProtection();
  const toast = useToast();
  const client = useQueryClient();
  if (data?.kind === 'browser') return <ExportReadyDialog ready={data} shownName={shortName(data.fileName)} onClose={onClose} />;

  const canBrowse = host?.capabilities.browserDownload ?? false;
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const send = (to: 'folder' | 'browser'): void => mutate({ sha256, ...protection, to }, { onSuccess: (result) => told(result) });
  const told = (result: ExportResult): void => {
    void client.invalidateQueries({ queryKey: ['samples.history'] });
    if (result.kind !== 'folder') return;
    toast({ meaning: 'ok', text: text.exportedTo(shortName(result.fileName), cutMiddle(folderOf(result), longestFolder)) });
    onClose();
  };
  const blocked = isPending || protection.password === '';
  return (
    <Dialog
      title={text.exportTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>{exportText.keep}</Button>
          {canBrowse && <Button look={hasFolder ? 'default' : 'primary'} isDisabled={blocked} onPress={() => send('browser')}>{exportText.toBrowser}</Button>}
          {(hasFolder || !canBrowse) && <Button look="primary" isDisabled={blocked || !hasFolder} onPress={() => send('folder')}>{isPending ? exportText.exporting : exportText.toFolder}</Button>}
        </>
      }
    >
      <p className={styles.sentence}>{text.exportSentence}</p>
      <ZipProtectionFields value={protection} onChange={setProtection} />
      {host && <ExportFolder host={host} />}
      {error && <FailureNotice failure={error} retry={variables && { name: 'samples.exportZip', input: variables }} onRetry={() => variables && send(variables.to)} />}
    </Dialog>
  );
}
