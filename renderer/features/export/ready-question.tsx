import type { LateQuestion } from '../../state/app-dialogs.tsx';
import { ReadyDownload, type ReadyDownloadProps } from './ready-download.tsx';

/** What is ready for the browser, offered to who has left where it was asked for. */
export const readyQuestion = (offered: Omit<ReadyDownloadProps, 'onClose'>): LateQuestion => ({
  draw: (close) => <ReadyDownload {...offered} onClose={close} />,
  words: offered.words.ready,
  verb: offered.words.save,
});
