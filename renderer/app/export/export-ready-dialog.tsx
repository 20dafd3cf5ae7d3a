import type { ExportResult } from '../../../shared/contract.ts';
import { exportUrl } from '../../bridge/export-url.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useToast } from '../../components/toasts.tsx';
import styles from './export.module.css';
import { text } from './text.ts';

export interface ExportReadyDialogProps {
  ready: Extract<ExportResult, { kind: 'browser' }>;
  /** What the file is called when it is told that it was saved. */
  shownName: string;
  onClose(): void;
}

/** The browser takes it from here: by a link, because only a person's own click is always allowed to save. */
export function ExportReadyDialog({ ready, shownName, onClose }: ExportReadyDialogProps) {
  const toast = useToast();
  const saved = (): void => {
    toast({ meaning: 'ok', text: text.exported(shownName) });
    onClose();
  };
  return (
    <Dialog
      title={text.ready}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing left to do in this dialog */}
          <a className={styles.save} href={exportUrl(ready.id)} download={ready.fileName} autoFocus onClick={saved}>{text.save}</a>
        </>
      }
    >
      <p className={styles.sentence}>{text.readySentence}</p>
      <p className={styles.fileName}>{ready.fileName}</p>
    </Dialog>
  );
}
