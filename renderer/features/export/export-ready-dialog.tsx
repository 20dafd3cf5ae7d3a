import { ReadyDownload, type ReadyDownloadProps } from './ready-download.tsx';
import { text } from './text.ts';

/** A ZIP of samples waits for the browser. */
export function ExportReadyDialog(props: Omit<ReadyDownloadProps, 'words'>) {
  return <ReadyDownload {...props} words={text} />;
}
