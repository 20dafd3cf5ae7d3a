import type { ReactNode } from 'react';
import { useDownloadOf } from '../../app/downloads.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import styles from './lookup.module.css';
import type { FoundState } from './sample-actions.tsx';
import { text } from './text.ts';
import { useStartDownload } from './use-start-download.ts';

/** How the last download of this sample stands, and what became of it. A finished one shows as the vault's state. */
export function DownloadState({ found: { workspaceId, result } }: { found: FoundState }) {
  const { download } = useDownloadOf(workspaceId, result.asked);
  const { start, failure: notStarted } = useStartDownload(workspaceId, result.asked);
  const { mutate: cancel } = useAction('downloads.cancel');
  const retry = { name: 'downloads.start', input: { workspaceId, md5: result.asked } } as const;
  if (notStarted) return <FailureNotice failure={notStarted} retry={retry} onRetry={start} />;
  if (download === null || download.state === 'done' || download.state === 'already-here') return null;
  if (download.state === 'failed') return <Told>{download.failure && <FailureNotice failure={download.failure} retry={retry} onRetry={start} />}</Told>;
  if (download.state === 'cancelled') return <Told><Notice meaning="info" title={text.cancelled} /></Told>;
  return (
    <div className={styles.progress}>
      <ProgressLine
        label={download.state === 'waiting' ? text.waiting : text.receiving}
        receivedBytes={download.receivedBytes}
        totalBytes={download.totalBytes ?? result.record.sizeBytes}
        bytesPerSecond={download.bytesPerSecond}
      />
      <Button size="small" onPress={() => cancel({ id: download.id })}>{text.cancel}</Button>
    </div>
  );
}

function Told({ children }: { children: ReactNode }) {
  return <div className={styles.told}>{children}</div>;
}
