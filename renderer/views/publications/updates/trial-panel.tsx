import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical, FolderOpen } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { trialFilesAtMost, type TrialState } from '../../../../shared/domain/trial.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatNumber } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { WrappedName } from './changes-grid.tsx';
import { text } from './strings.ts';
import styles from './trial.module.css';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** What a package that is not installed would newly hit in files that are known to be good. */
export function TrialPanel({ state: { workspaceId }, shown }: { state: PublicationsState; shown: PackageView }) {
  const { data } = useOperation('trials.state', { workspaceId });
  const { staging, failure, start, cancel } = useTrial(workspaceId, shown.sha256);
  const picker = useRef<HTMLInputElement>(null);
  const trial = data?.trial?.sha256 === shown.sha256 ? data.trial : null;
  const isRunning = staging !== null || (trial !== null && trial.ended === null);
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    start([...(currentTarget.files ?? [])]);
    // The same folder can be picked again.
    currentTarget.value = '';
  };
  return (
    <section className={classNames(layout.stack, styles.trial)} aria-label={text.tryTitle} data-trial>
      <div className={classNames(layout.row, styles.head)}>
        <FlaskConical {...icon} />
        <h3>{text.tryTitle}</h3>
        <span className={classNames(typography.note, styles.aside)} role="status" data-figures>
          {staging === null ? trial && formatTrial(trial) : text.tryStaging(staging.done, staging.files)}
        </span>
        {isRunning ? (
          <Button size="small" onPress={cancel}>
            {text.cancel}
          </Button>
        ) : (
          <Button size="small" onPress={() => picker.current?.click()}>
            <FolderOpen {...icon} />
            {trial === null ? text.tryChoose : text.tryAgain}
          </Button>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-picker="trial-folder"
        onChange={pick}
        {...{ webkitdirectory: '' }}
      />
      {failure !== null && (
        <div className={styles.reported}>
          <FailureNotice failure={failure} />
        </div>
      )}
      {trial !== null && <TrialResult trial={trial} />}
    </section>
  );
}

function formatTrial({ phase, rules, files, done, notScanned }: TrialState): string {
  switch (phase) {
    case 'compiling':
      return text.tryCompiling;
    case 'scanning':
      return text.tryScanning(done, files);
    case 'cancelled':
      return text.tryCancelled(done, files);
    case 'failed':
      return text.tryFailed;
    case 'done':
      return rules === 0 ? text.tryNoRules : text.tryDone(rules, done - notScanned.files, files);
    default:
      return assertNever(phase);
  }
}

function TrialResult({ trial }: { trial: TrialState }) {
  const { phase, hits, notScanned, notices, failure, rules } = trial;
  return (
    <div className={styles.result}>
      {failure !== null && <FailureNotice failure={failure} />}
      {notices.map((notice, at) => (
        <FailureNotice key={at} failure={notice} meaning="warn" />
      ))}
      {notScanned.files > 0 && (
        <details className={classNames(typography.muted, typography.anywhere)}>
          <summary>{text.tryNotScanned(notScanned.files)}</summary>
          <ul>
            {notScanned.first.map(({ name, failure: why }, at) => (
              <li key={at}>
                <SampleName name={name} />: {describeFailure(why).what}
              </li>
            ))}
          </ul>
        </details>
      )}
      {phase === 'done' && rules > 0 && hits.length === 0 && (
        <p className={classNames(typography.muted, typography.anywhere)}>{text.tryNone(rules)}</p>
      )}
      {hits.length > 0 && (
        <table className={styles.hits}>
          <thead>
            <tr>
              <th scope="col">{text.tryColumns.rule}</th>
              <th scope="col">{text.tryColumns.change}</th>
              <th scope="col" className={styles.figure}>
                {text.tryColumns.files}
              </th>
              <th scope="col">{text.tryColumns.example}</th>
            </tr>
          </thead>
          <tbody>
            {hits.map(({ rule, change, files, examples }) => (
              <tr key={rule}>
                <th scope="row">
                  <bdi>
                    <WrappedName name={visibleText(rule)} />
                  </bdi>
                </th>
                <td>{text.spoken[change]}</td>
                <td className={styles.figure} data-figures>
                  {formatNumber(files)}
                </td>
                <td title={visibleText(examples.join('\n'))}>
                  <SampleName name={examples[0] ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Files that are being sent to the host. */
interface Staging {
  files: number;
  done: number;
}

interface TrialActs {
  /** null when none are. */
  staging: Staging | null;
  /** Why it did not begin, or a file was not sent: none is tried then, or all of them. */
  failure: Failure | null;
  start(files: readonly File[]): void;
  cancel(): void;
}

/** A browser opens six connections to a host: events have one, and calls need one. */
const stagedAtOnce = 4;

interface FileStaging {
  /** null while nothing is being sent. */
  staging: Staging | null;
  failure: Failure | null;
  /** The ids of the files; null if one was not sent, or it was stopped. */
  stage(files: readonly File[]): Promise<string[] | null>;
  stop(): void;
  fail(failure: Failure): void;
}

/** Sends files to the host. One that cannot be sent ends it: a file that is not scanned must not be overlooked. */
export function useStaging(): FileStaging {
  const bridge = useBridge();
  const [staging, setStaging] = useState<Staging | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const stopped = useRef(false);
  const stage = async (files: readonly File[]): Promise<string[] | null> => {
    stopped.current = false;
    setFailure(null);
    setStaging({ files: files.length, done: 0 });
    const ids: string[] = [];
    const left = [...files];
    const line = async (): Promise<void> => {
      for (let file = left.shift(); file !== undefined && !stopped.current; file = left.shift()) {
        const staged = await bridge.stageFile(file);
        if (!staged.ok) {
          stopped.current = true;
          setFailure(staged.failure);
          return;
        }
        ids.push(staged.value.id);
        setStaging({ files: files.length, done: ids.length });
      }
    };
    await Promise.all(Array.from({ length: stagedAtOnce }, line));
    setStaging(null);
    return stopped.current ? null : ids;
  };
  return { staging, failure, stage, stop: () => void (stopped.current = true), fail: setFailure };
}

/** Begins and ends the trial of a package. */
function useTrial(workspaceId: string, sha256: string): TrialActs {
  const bridge = useBridge();
  const client = useQueryClient();
  const { staging, failure, stage, stop, fail } = useStaging();
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['trials.state', { workspaceId }] });
  const begin = async (files: readonly File[]): Promise<void> => {
    const ids = await stage(files);
    if (ids === null) return;
    const answer = await bridge.call('trials.start', { workspaceId, sha256, files: ids.map((id) => ({ id })) });
    if (!answer.ok) fail(answer.failure);
    refresh();
  };
  return {
    staging,
    failure,
    start: (files) => {
      if (files.length > trialFilesAtMost) fail({ kind: 'job-too-large', limit: trialFilesAtMost });
      else if (files.length > 0) void begin(files);
    },
    cancel: () => {
      stop();
      void bridge.call('trials.cancel', { workspaceId });
    },
  };
}
