import { CircleDashed, type LucideIcon, ShieldCheck, ShieldX } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { VaultState } from '../../../shared/domain/library.ts';
import { type Download, isRunningDownload } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatExactSize } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { ProgressLine } from '../../components/progress-line.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useDownloadOf } from '../../state/downloads.tsx';
import { mayTakeFocus } from '../../keyboard/view-keys.ts';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './sample.module.css';
import type { CurrentSample, ShownSample } from './shown-sample.ts';
import { text } from './strings.ts';

/**
 * What the sample is called, what it is, and where its bytes are. `number`: another one when it was looked up once
 * more.
 */
export function Headline({ currentSample, number }: { currentSample: CurrentSample; number: number }) {
  const { name, names, type, sizeBytes } = currentSample.sample;
  const heading = useRef<HTMLHeadingElement>(null);
  const whole = name === null || name === '' ? null : visibleText(name);
  // Work continues from the answer: the keys of the sample work as soon as it is visible, and a screen reader reads its
  // name.
  const focusedFor = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focusedFor.current === number) return;
    focusedFor.current = number;
    if (heading.current !== null && mayTakeFocus(heading.current)) heading.current.focus();
  });
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <div className={styles.nameLine}>
        <h2
          ref={heading}
          tabIndex={-1}
          className={classNames(styles.name, whole === null && typography.faint)}
          title={whole ?? undefined}
        >
          {name === null || whole === null ? text.unnamed : <SampleName name={name} />}
        </h2>
        <BytesState currentSample={currentSample} />
      </div>
      <p className={classNames(typography.sentence, styles.facts)}>
        {typeAndSize(type, sizeBytes)}.{names.length > 1 && ` ${text.namesHere(names.length)}`}
      </p>
      <DamagedNotice sample={currentSample.sample} />
      <DownloadFailed currentSample={currentSample} />
    </section>
  );
}

function typeAndSize(type: string | null, sizeBytes: number | null): string {
  if (type === null) return sizeBytes === null ? text.sizeUnknown : formatExactSize(sizeBytes);
  return `${visibleText(type)}, ${sizeBytes === null ? text.alsoSizeUnknown : formatExactSize(sizeBytes)}`;
}

const vaultIcons: Record<VaultState, LucideIcon> = {
  none: CircleDashed,
  held: ShieldCheck,
  missing: ShieldX,
  altered: ShieldX,
};

/**
 * Where the sample's bytes are; while they are fetched, how far that is, in the same place: nothing below it moves.
 */
function BytesState({ currentSample: { sample, workspaceId } }: { currentSample: CurrentSample }) {
  const { download } = useDownloadOf(workspaceId, sample.md5 ?? '');
  const running = download !== null && isRunningDownload(download) ? download : null;
  return (
    <>
      <VaultStateWords vault={sample.vault} isSeen={running === null} />
      {running !== null && <DownloadProgress download={running} sizeBytes={sample.sizeBytes} />}
    </>
  );
}

function DownloadProgress({ download, sizeBytes }: { download: Download; sizeBytes: number | null }) {
  const { mutate: cancel } = useAction('downloads.cancel');
  return (
    <div className={classNames(layout.flex12, styles.progress)}>
      <ProgressLine
        key={download.id}
        label={download.state === 'waiting' ? text.waiting : text.receiving}
        receivedBytes={download.receivedBytes}
        totalBytes={download.totalBytes ?? sizeBytes}
        bytesPerSecond={download.bytesPerSecond}
        isOneLine
      />
      <Button size="small" onPress={() => cancel({ id: download.id })}>
        {text.cancel}
      </Button>
    </div>
  );
}

/** Announced when it changes, so it stays while it is not seen. */
function VaultStateWords({ vault, isSeen }: { vault: VaultState; isSeen: boolean }) {
  const Icon = vaultIcons[vault];
  return (
    <p
      className={classNames(
        isSeen ? layout.row6 : aloud.only,
        typography.hint,
        styles.vault,
        vault === 'held' && styles.inVault,
        (vault === 'missing' || vault === 'altered') && styles.damaged,
      )}
      role="status"
    >
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.vault[vault]}
    </p>
  );
}

/**
 * What it means that the vault's copy is no copy any more. The head of the page has the button that fetches it again.
 */
function DamagedNotice({ sample: { vault, md5 } }: { sample: ShownSample }) {
  if (vault !== 'missing' && vault !== 'altered') return null;
  const { title, then } = text.damage[vault];
  return (
    <div className={styles.reported}>
      <Notice meaning="bad" title={title} isAlert>
        {`${then} ${md5 === null ? text.noRepair : text.repairByDownload}`}
      </Notice>
    </div>
  );
}

/** Why the last download of this sample gave no bytes. A finished one shows as the vault's state. */
function DownloadFailed({ currentSample: { sample, workspaceId } }: { currentSample: CurrentSample }) {
  const md5 = sample.md5 ?? '';
  const { download, notStarted, start } = useDownloadOf(workspaceId, md5);
  const failure = notStarted ?? (download?.state === 'failed' ? download.failure : null);
  if (failure)
    return (
      <Reported>
        <DownloadFailure failure={failure} workspaceId={workspaceId} md5={md5} onRetry={start} />
      </Reported>
    );
  if (download?.state !== 'cancelled') return null;
  return (
    <Reported>
      <Notice meaning="info" title={text.cancelled}>
        {text.cancelledThen}
      </Notice>
    </Reported>
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

function Reported({ children }: { children: ReactNode }) {
  return <div className={styles.reported}>{children}</div>;
}
