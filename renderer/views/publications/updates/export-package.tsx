import type { ExportResult } from '../../../../shared/domain/export.ts';
import type { PackageView } from '../../../../shared/domain/publication.ts';
import { ExportFolder } from '../../../app/export/export-folder.tsx';
import { ExportReadyDialog } from '../../../app/export/export-ready-dialog.tsx';
import { text as exportText } from '../../../app/export/text.ts';
import { useZipProtection, ZipProtectionFields } from '../../../app/export/zip-protection.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { useToast } from '../../../components/toasts.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import styles from './dialogs.module.css';

const longestFolder = 48;
const longestName = 48;

const folderOf = ({ path, fileName }: Extract<ExportResult, { kind: 'folder' }>): string => path.slice(0, -fileName.length - 1);

/** A package leaves the desk, so it asks. To a folder of the host's, or as a download of the browser, as the host can. */
export function ExportPackage({ shown, workspaceId, onClose }: { shown: PackageView; workspaceId: string; onClose(): void }) {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, error, data, variables } = useAction('publications.export');
  const [protection, setProtection] = useZipProtection();
  const toast = useToast();
  if (data?.kind === 'browser') return <ExportReadyDialog ready={data} shownName={cutMiddle(data.fileName, longestName)} onClose={onClose} />;

  const canBrowse = host?.capabilities.browserDownload ?? false;
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const told = (result: ExportResult): void => {
    if (result.kind !== 'folder') return;
    toast({ meaning: 'ok', text: text.exportedTo(cutMiddle(result.fileName, longestName), cutMiddle(folderOf(result), longestFolder)) });
    onClose();
  };
  const send = (to: 'folder' | 'browser'): void => mutate({ workspaceId, sha256: shown.sha256, ...protection, to }, { onSuccess: told });
  const blocked = isPending || protection.password === '';
  return (
    <Dialog
      title={text.exportTitle(shortVersion(shown.version))}
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
      {error && <FailureNotice failure={error} retry={variables && { name: 'publications.export', input: variables }} onRetry={() => variables && send(variables.to)} />}
    </Dialog>
  );
}
