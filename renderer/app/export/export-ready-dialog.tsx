import { useToast } from '../../components/toasts.tsx';
import { ReadyDownload, type ReadyDownloadProps } from './ready-download.tsx';
import { text } from './text.ts';

export interface ExportReadyDialogProps extends Pick<ReadyDownloadProps, 'ready' | 'onClose'> {
  /** What the file is called when it is told that it was saved. */
  shownName: string;
}

/** A ZIP of samples waits for the browser. */
export function ExportReadyDialog({ ready, shownName, onClose }: ExportReadyDialogProps) {
  const toast = useToast();
  const saved = (): void => {
    toast({ meaning: 'ok', text: text.exported(shownName) });
    onClose();
  };
  return <ReadyDownload ready={ready} words={{ title: text.ready, sentence: text.readySentence, save: text.save }} onSave={saved} onClose={onClose} />;
}
