import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ExportResult } from '../../../shared/contract.ts';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { useSettings } from '../../app/use-settings.ts';
import { useAction } from '../../bridge/use-action.ts';
import { exportUrl } from '../../bridge/export-url.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { ExportFolder } from './export-folder.tsx';
import styles from './lookup.module.css';
import { text } from './text.ts';

const encryptions: readonly { value: ZipEncryption; text: ReactNode }[] = [
  { value: 'aes-256', text: text.aes },
  { value: 'zipcrypto', text: <>{text.zipcrypto} <span className={styles.aside}>{text.zipcryptoHint}</span></> },
];

const longestFolder = 48;

/** Exports are named by SHA-256; its first twelve characters stand for it, as in tables. */
const shortName = (fileName: string): string => fileName.replace(/^([0-9a-f]{12})[0-9a-f]{52}\.zip$/, '$1');
const folderOf = ({ path, fileName }: Extract<ExportResult, { kind: 'folder' }>): string => path.slice(0, -fileName.length - 1);

/** A sample leaves the desk, so it asks. To a folder of the host's, or as a download of the browser, as the host can. */
export function ExportDialog({ sha256, onClose }: { sha256: string; onClose(): void }) {
  const { values } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, error, data, variables } = useAction('samples.exportZip');
  const [encryption, setEncryption] = useState<ZipEncryption>(values.exportEncryption);
  const [password, setPassword] = useState(values.exportPassword);
  const toast = useToast();
  const client = useQueryClient();
  if (data?.kind === 'browser') return <ReadyDialog ready={data} onClose={onClose} />;

  const canBrowse = host?.capabilities.browserDownload ?? false;
  const hasFolder = host !== undefined && host.exportFolder !== null;
  const send = (to: 'folder' | 'browser'): void => mutate({ sha256, encryption, password, to }, { onSuccess: (result) => told(result) });
  const told = (result: ExportResult): void => {
    void client.invalidateQueries({ queryKey: ['samples.history'] });
    if (result.kind !== 'folder') return;
    toast({ meaning: 'ok', text: text.exportedTo(shortName(result.fileName), cutMiddle(folderOf(result), longestFolder)) });
    onClose();
  };
  const blocked = isPending || password === '';
  return (
    <Dialog
      title={text.exportTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>{text.keep}</Button>
          {canBrowse && <Button look={hasFolder ? 'default' : 'primary'} isDisabled={blocked} onPress={() => send('browser')}>{text.toBrowser}</Button>}
          {(hasFolder || !canBrowse) && <Button look="primary" isDisabled={blocked || !hasFolder} onPress={() => send('folder')}>{isPending ? text.exporting : text.toFolder}</Button>}
        </>
      }
    >
      <p className={styles.sentence}>{text.exportSentence}</p>
      <RadioChoice label={text.encryption} value={encryption} options={encryptions} onChange={(chosen) => setEncryption(chosen)} />
      <TextField
        label={text.password}
        value={password}
        onChange={setPassword}
        hint={text.passwordHint}
        problem={password === '' ? text.passwordMissing : null}
        maxLength={128}
        autoComplete="off"
        mono
      />
      {host && <ExportFolder host={host} />}
      {error && <FailureNotice failure={error} retry={variables && { name: 'samples.exportZip', input: variables }} onRetry={() => variables && send(variables.to)} />}
    </Dialog>
  );
}

/** The browser takes it from here: by a link, because only a person's own click is always allowed to save. */
function ReadyDialog({ ready, onClose }: { ready: Extract<ExportResult, { kind: 'browser' }>; onClose(): void }) {
  const toast = useToast();
  const saved = (): void => {
    toast({ meaning: 'ok', text: text.exported(shortName(ready.fileName)) });
    onClose();
  };
  return (
    <Dialog
      title={text.exportReady}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing left to do in this dialog */}
          <a className={styles.save} href={exportUrl(ready.id)} download={ready.fileName} autoFocus onClick={saved}>{text.saveZip}</a>
        </>
      }
    >
      <p className={styles.sentence}>{text.exportReadySentence}</p>
      <p className={styles.fileName}>{ready.fileName}</p>
    </Dialog>
  );
}
