import { ListChecks, Search } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { SampleName } from '../../components/service-text.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { MissingAction, useServerActions } from '../../features/servers/server-actions.tsx';
import { text as serversText } from '../../features/servers/strings.ts';
import { LabFailure, useLabFailure } from '../../state/failure-remedy.tsx';
import { useJobs } from '../../state/jobs.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './lookup.module.css';
import { text } from './strings.ts';

export function LookupEmpty() {
  const { current } = useWorkspaces();
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
      {current && <NoRecords workspaceId={current.id} />}
      <EmptyState
        icon={<Search size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={current && <LastTable workspaceId={current.id} />}
      />
      {current?.builtIn === true && <SampleFiles />}
    </div>
  );
}

/** After the page was loaded again, its history leads to no table. */
function LastTable({ workspaceId }: { workspaceId: string }) {
  const { openMany } = useLookupStore();
  const tables = useJobs().filter((known) => known.task.kind === 'triage' && known.workspaceId === workspaceId);
  // The list begins with what is not over.
  const job = tables.reduce<Job | null>((last, one) => (last === null || one.id > last.id ? one : last), null);
  if (job === null) return null;
  return (
    <Button onPress={() => openMany(job.id)}>
      <ListChecks size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.lastTable(job.items)}
    </Button>
  );
}

function NoRecords({ workspaceId }: { workspaceId: string }) {
  const actions = useServerActions(workspaceId);
  if (!actions.isAbsent('getfile')) return null;
  return (
    <MissingAction title={serversText.noRecords} actions={actions}>
      {actions.isUsable('getfiles') || actions.isUsable('searchfiles')
        ? serversText.searchInstead
        : serversText.libraryInstead}
    </MissingAction>
  );
}

/** Lets a new installation have something to look up. */
function SampleFiles() {
  const { lookUpText } = useLookupStore();
  const { data: host } = useOperation('host.describe', {});
  const labFailure = useLabFailure();
  const { data, error, refetch } = useOperation('lab.sampleFiles', {});
  if (error)
    return (
      <FailureNotice failure={error} retry={{ name: 'lab.sampleFiles', input: {} }} onRetry={() => void refetch()} />
    );
  if (labFailure !== null) return <LabFailure />;
  if (!data) return null;
  if (data.sampleFiles.length === 0)
    return <p className={styles.centred}>{text.labState(host?.lab.state ?? 'starting')}</p>;
  return (
    <section className={styles.sampleFiles} aria-labelledby="specimens">
      <h2 id="specimens" className={classNames(typography.heading, styles.subtitle)}>
        {text.sampleFiles} <span className={typography.hint}>{text.sampleFilesSentence}</span>
      </h2>
      <SmallTable className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.columns.name}</th>
            <th scope="col">{text.columns.md5}</th>
            <th scope="col" className={styles.number}>
              {text.columns.size}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.sampleFiles.map(({ md5, name, sizeBytes }) => (
            <tr key={md5}>
              <td>
                <SampleFileButton name={name} onPress={() => lookUpText(md5)} />
              </td>
              <td>
                <code>{md5}</code>
              </td>
              <td className={styles.number} data-figures>
                {formatNumber(sizeBytes)}
              </td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </section>
  );
}

/** Its area is the whole row. */
function SampleFileButton({ name, onPress }: { name: string; onPress(): void }) {
  return (
    <button type="button" className={styles.rowButton} onClick={onPress}>
      <SampleName name={name} />
    </button>
  );
}
