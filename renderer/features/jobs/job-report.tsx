import type { ReactNode } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import {
  isFinalJob,
  type Job,
  type JobKind,
  type JobTask,
  longestOwnPause,
  sleepsUntil,
} from '../../../shared/domain/job.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { CopyDetails, FailureNotice } from '../../components/failure-notice.tsx';
import { formatRecent } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { SampleName, TagChip } from '../../components/service-text.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import type { JobActs } from './job-actions.tsx';
import styles from './job-items.module.css';
import { text } from './strings.ts';

/** Kinds that report more than their progress. */
const explainsMore: ReadonlySet<JobKind> = new Set([
  'export',
  'library-change',
  'case-export',
  'bundle',
  'bundle-import',
  'backup',
]);

/**
 * What is to be said of a job as a whole, before its numbers: why it halted, what belongs to no item, where it wrote.
 */
export function JobReport({ job, acts }: { job: Job; acts: JobActs }) {
  if (job.failure === null && acts.failure === null && job.noticeCount === 0 && !explainsMore.has(job.task.kind))
    return null;
  return (
    <div className={classNames(layout.stack8, styles.reported)}>
      {job.failure && <Interruption job={job} acts={acts} failure={job.failure} />}
      {acts.failure && <FailureNotice failure={acts.failure} />}
      <OutputReport job={job} />
      <ChangeReport job={job} />
      <JobNotices job={job} />
    </div>
  );
}

interface InterruptionProps {
  job: Job;
  acts: JobActs;
  failure: Failure;
}

function Interruption({ job, acts, failure }: InterruptionProps) {
  const until = sleepsUntil(job);
  if (until !== null) return <Sleep job={job} acts={acts} failure={failure} until={until} />;
  return (
    <FailureNotice
      failure={failure}
      after={isFinalJob(job) ? undefined : text.haltedThen(job.counts.waiting)}
      meaning={meaningOf(failure)}
      action={
        <>
          {!isFinalJob(job) && job.state === 'paused' && (
            <Button size="small" onPress={acts.resume}>
              {text.resume}
            </Button>
          )}
          <FailureRemedy failure={failure} />
        </>
      }
    />
  );
}

/** Nothing is to be done: the job resumes when its service asked it to. */
function Sleep({ job, acts, failure, until }: InterruptionProps & { until: string }) {
  // A shorter one is lengthened where it brought nothing before.
  const isRequested = failure.kind === 'slow-down' && (failure.retryAfterSeconds ?? 0) > longestOwnPause;
  return (
    <Notice
      meaning="info"
      title={describeFailure(failure).what}
      isAlert
      actions={
        <>
          <Button size="small" onPress={acts.resume}>
            {text.resumeNow}
          </Button>
          <CopyDetails failure={failure} />
        </>
      }
    >
      {text.asleepThen(job.counts.waiting, formatRecent(until), isRequested)}
    </Notice>
  );
}

/**
 * Failures that belong to no item: an archive entry that was not requested, or a file that was gone before a scan
 * began.
 */
function JobNotices({ job }: { job: Job }) {
  const { notices, noticeCount } = job;
  if (noticeCount === 0) return null;
  return (
    <details className={classNames(typography.note, styles.notices)}>
      <summary>{titleOf(job)(noticeCount)}</summary>
      <ul>
        {notices.map((notice, index) => {
          const { what, then } = describeFailure(notice);
          // Two notices may say the same, and they only ever grow at the end.
          return (
            <li key={index}>
              <bdi dir="ltr">{`${what}. ${then}`}</bdi>
            </li>
          );
        })}
        {noticeCount > notices.length && <li>{text.moreNotices(noticeCount - notices.length)}</li>}
      </ul>
    </details>
  );
}

const gone = new Set<Failure['kind']>(['file-gone', 'file-changed', 'file-unreadable']);

/** If all notices are of one kind, the title names it. */
function titleOf({ task, notices, noticeCount }: Job): (count: number) => string {
  // A job keeps a limited number of notices; the kinds of the others are unknown.
  if (noticeCount > notices.length) return text.notices;
  if (task.kind === 'scan' && notices.every(({ kind }) => gone.has(kind))) return text.notScanned;
  if (notices.every(({ kind }) => kind === 'scan-rule-left-out')) return text.rulesLeftOut;
  if (notices.every(({ kind }) => kind === 'scan-variables-unknown')) return () => text.variablesUnknown;
  return text.notices;
}

type ChangeTask = Extract<JobTask, { kind: 'library-change' }>;

/** What is done to each sample of a change, of which there may be a million: they are counted, and not listed. */
function ChangeReport({ job: { task } }: { job: Job }) {
  if (task.kind !== 'library-change') return null;
  return (
    <>
      {task.what === 'change' ? (
        <ChangeLines task={task} />
      ) : (
        <p className={classNames(layout.row6, typography.note, styles.result)}>{text.forgets[task.what]}</p>
      )}
      <p className={classNames(layout.row6, typography.note, styles.result)}>{text.countedOnly}</p>
    </>
  );
}

function ChangeLines({ task: { add, remove, tlp, addsNote } }: { task: ChangeTask }) {
  return (
    <>
      <TagLine label={text.gives} tags={add} />
      <TagLine label={text.takes} tags={remove} />
      {tlp !== undefined && (
        <p className={classNames(layout.row6, typography.note, styles.result)}>
          <span>{text.setsTlp}</span>
          {tlp === null ? <span>{text.noTlp}</span> : <TlpLabel level={tlp} />}
        </p>
      )}
      {addsNote && <p className={classNames(layout.row6, typography.note, styles.result)}>{text.addsNote}</p>}
    </>
  );
}

function TagLine({ label, tags }: { label: string; tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <div className={classNames(layout.row, typography.note, styles.tags)}>
      <span>{label}</span>
      {tags.map((tag) => (
        <TagChip key={tag} tag={tag} />
      ))}
    </div>
  );
}

/** What a job writes, or reads, and where: a path can be copied. */
export function OutputReport({ job: { task, state } }: { job: Job }) {
  const isOver = state === 'done';
  switch (task.kind) {
    case 'export':
      return <Path label={task.result === null && !isOver ? text.exportsTo : text.exportedTo} path={pathOf(task)} />;
    case 'case-export':
      return (
        <>
          <Titled title={task.title}>
            {text.caseFormats[task.format]}
            {task.withSamples && `, ${text.withSamples}`}
          </Titled>
          <Path label={task.result === null ? text.writesTo : text.writtenTo} path={pathOf(task)} />
          <p className={classNames(layout.row6, typography.note, styles.result)}>{text.countedOnly}</p>
        </>
      );
    case 'bundle':
      return (
        <>
          <Titled title={task.title} />
          <Path label={task.result === null ? text.writesTo : text.writtenTo} path={pathOf(task)} />
          <p className={classNames(layout.row6, typography.note, styles.result)}>{text.countedOnly}</p>
        </>
      );
    case 'backup':
      return <Path label={isOver ? text.writtenTo : text.writesTo} path={task.folder} />;
    case 'bundle-import':
      return (
        <p className={classNames(layout.row6, typography.note, styles.result)}>
          <span>{text.fromFile}</span>
          <SampleName name={task.name} />
        </p>
      );
    case 'bulk-download':
    case 'triage':
    case 'upload':
    case 'vault-check':
    case 'library-add':
    case 'library-change':
    case 'scan':
    case 'hunt':
      return null;
    default:
      return assertNever(task);
  }
}

function Titled({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <p className={classNames(layout.row6, typography.note, styles.result)}>
      <span>{text.title}</span>
      <span className={classNames(typography.cut, styles.path)}>
        <bdi>{visibleText(title)}</bdi>
      </span>
      {children !== undefined && <span>{children}</span>}
    </p>
  );
}

function Path({ label, path }: { label: string; path: string }) {
  return (
    <p className={classNames(layout.row6, typography.note, styles.result)}>
      <span>{label}</span>
      <code className={classNames(typography.cut, styles.path)} title={visibleText(path)}>
        <bdi dir="ltr">{visibleText(path)}</bdi>
      </code>
      <CopyIcon text={path} label={text.copyPath} />
    </p>
  );
}

const pathOf = ({ folder, result }: { folder: string; result: string | null }): string =>
  result === null ? folder : within(folder, result);

/** As the host's system writes paths. */
function within(folder: string, name: string): string {
  const separator = folder.includes('\\') ? '\\' : '/';
  return `${folder}${folder.endsWith(separator) ? '' : separator}${name}`;
}
