import type { ReactNode } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import { useDownloadOf } from '../../app/downloads.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import { canBeRetried, FailureRemedy, meaningOf } from '../../app/failure-remedy.tsx';
import styles from './sample.module.css';
import type { FoundState } from './sample-actions.tsx';
import { text } from './text.ts';

/** How the last download of this sample stands, and what became of it. A finished one shows as the vault's state. */
export function DownloadState({ found: { workspaceId, result } }: { found: FoundState }) {
  const { download, notStarted, start } = useDownloadOf(workspaceId, result.asked);
  const { mutate: cancel } = useAction('downloads.cancel');
  const failure = notStarted ?? (download?.state === 'failed' ? download.failure : null);
  if (failure) return <Told><DownloadFailure failure={failure} workspaceId={workspaceId} md5={result.asked} onRetry={start} /></Told>;
  if (download?.state === 'cancelled') return <Told><Notice meaning="info" title={text.cancelled}>{text.cancelledThen}</Notice></Told>;
  if (download?.state !== 'waiting' && download?.state !== 'receiving') return null;
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

function DownloadFailure({ failure, workspaceId, md5, onRetry }: { failure: Failure; workspaceId: string; md5: string; onRetry(): void }) {
  const retry = canBeRetried(failure) ? ({ name: 'downloads.start', input: { workspaceId, md5 } } as const) : undefined;
  return <FailureNotice failure={failure} meaning={meaningOf(failure)} retry={retry} onRetry={onRetry} action={<FailureRemedy failure={failure} />} />;
}

function Told({ children }: { children: ReactNode }) {
  return <div className={styles.told}>{children}</div>;
}
