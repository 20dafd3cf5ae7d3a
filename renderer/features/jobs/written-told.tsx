import type { ReactNode } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import styles from './job-items.module.css';
import { text } from './text.ts';

/** What a job writes, or reads, and where: a path can be copied. */
export function WrittenTold({ job: { task, state } }: { job: Job }) {
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
          <p className={styles.result}>{text.countedOnly}</p>
        </>
      );
    case 'bundle':
      return (
        <>
          <Titled title={task.title} />
          <Path label={task.result === null ? text.writesTo : text.writtenTo} path={pathOf(task)} />
          <p className={styles.result}>{text.countedOnly}</p>
        </>
      );
    case 'backup':
      return <Path label={isOver ? text.writtenTo : text.writesTo} path={task.folder} />;
    case 'bundle-import':
      return (
        <p className={styles.result}>
          <span>{text.fromFile}</span>
          <span className={styles.path}>
            <bdi>{visibleText(task.name)}</bdi>
          </span>
        </p>
      );
    case 'bulk-download':
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
    <p className={styles.result}>
      <span>{text.title}</span>
      <span className={styles.path}>
        <bdi>{visibleText(title)}</bdi>
      </span>
      {children !== undefined && <span>{children}</span>}
    </p>
  );
}

function Path({ label, path }: { label: string; path: string }) {
  return (
    <p className={styles.result}>
      <span>{label}</span>
      <code className={styles.path} title={visibleText(path)}>
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
