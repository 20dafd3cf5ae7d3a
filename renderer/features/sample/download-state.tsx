import type { ReactNode } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import { useDownloadOf } from '../../state/downloads.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import styles from './download-state.module.css';
import parts from './parts.module.css';
import { text } from './text.ts';
import type { SampleAtHand } from './use-sample.ts';

/** How the last download of this sample stands, and what became of it. A finished one shows as the vault's state. */
export function DownloadState({ atHand: { sample, workspaceId } }: { atHand: SampleAtHand }) {
  const md5 = sample.md5 ?? '';
  const { download, notStarted, start } = useDownloadOf(workspaceId, md5);
  const { mutate: cancel } = useAction('downloads.cancel');
  const failure = notStarted ?? (download?.state === 'failed' ? download.failure : null);
  if (failure)
    return (
      <Told>
        <DownloadFailure failure={failure} workspaceId={workspaceId} md5={md5} onRetry={start} />
      </Told>
    );
  if (download?.state === 'cancelled')
    return (
      <Told>
        <Notice meaning="info" title={text.cancelled}>
          {text.cancelledThen}
        </Notice>
      </Told>
    );
  if (download?.state !== 'waiting' && download?.state !== 'receiving') return null;
  return (
    <div className={styles.progress}>
      <ProgressLine
        label={download.state === 'waiting' ? text.waiting : text.receiving}
        receivedBytes={download.receivedBytes}
        totalBytes={download.totalBytes ?? sample.sizeBytes}
        bytesPerSecond={download.bytesPerSecond}
      />
      <Button size="small" onPress={() => cancel({ id: download.id })}>
        {text.cancel}
      </Button>
    </div>
  );
}

function DownloadFailure({
  failure,
  workspaceId,
  md5,
  onRetry,
}: {
  failure: Failure;
  workspaceId: string;
  md5: string;
  onRetry(): void;
}) {
  const retry = { name: 'downloads.start', input: { workspaceId, md5 } } as const;
  return (
    <FailureNotice
      failure={failure}
      meaning={meaningOf(failure)}
      retry={retry}
      onRetry={onRetry}
      action={<FailureRemedy failure={failure} />}
    />
  );
}

function Told({ children }: { children: ReactNode }) {
  return <div className={parts.told}>{children}</div>;
}
