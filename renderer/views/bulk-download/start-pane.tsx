import { FileSearch } from 'lucide-react';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { toFetch } from '../../app/bulk-tally.ts';
import { useNavigation } from '../../app/navigation.tsx';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './bulk-download.module.css';
import { FoundTable } from './found-table.tsx';
import { text } from './text.ts';

/** Before there is a job: what can be put in, then what will be fetched. */
export function StartPane() {
  const { list, check, begin, checkAgain } = useBulkDesk();
  const { current } = useWorkspaces();
  const { openSettings } = useNavigation();
  return (
    <div className={styles.start}>
      {current?.repository === null && (
        <Notice meaning="warn" title={text.noRepository} actions={<Button size="small" onPress={() => openSettings('workspaces')}>{text.openSettings}</Button>}>{text.noRepositoryThen}</Notice>
      )}
      {begin.kind === 'failed' && <FailureNotice failure={begin.failure} />}
      {check.failure && <FailureNotice failure={check.failure} action={<Button size="small" onPress={checkAgain}>{text.checkAgain}</Button>} />}
      {begin.kind === 'adding' && <Adding added={begin.added} />}
      {(list.kind === 'none' || list.kind === 'refused') && <Invitation />}
      {list.kind === 'read' && begin.kind !== 'adding' && check.isDone && <Ready key={list.revision} found={list.summary.found} />}
    </div>
  );
}

function Invitation() {
  return (
    <>
      <EmptyState icon={<FileSearch size={20} strokeWidth={1.6} />} title={text.emptyTitle} sentence={text.emptySentence} action={<Specimens />} />
      <figure className={styles.example}>
        <figcaption>{text.example}</figcaption>
        <pre>{text.exampleText}</pre>
      </figure>
    </>
  );
}

/** So that an empty desk has something to try. */
function Specimens() {
  const { setText } = useBulkDesk();
  const { current } = useWorkspaces();
  const isLab = current?.builtIn === true;
  const { data } = useOperation('lab.specimens', {}, { enabled: isLab });
  if (!isLab || !data || data.specimens.length === 0) return null;
  return <Button onPress={() => setText(data.specimens.map(({ md5, name }) => `${md5}  ${visibleText(name)}`).join('\n'))}>{text.specimens}</Button>;
}

/** What will become of each hash, before anything is asked of a service. */
function Ready({ found }: { found: number }) {
  const { check: { tally } } = useBulkDesk();
  const { current } = useWorkspaces();
  const count = toFetch(tally);
  if (found === 0) return <EmptyState icon={<FileSearch size={20} strokeWidth={1.6} />} title={text.noHashTitle} sentence={text.noHashThen} />;
  return (
    <>
      <div className={styles.ready}>
        <p className={styles.headline} data-figures>{count === 0 ? text.nothingToFetch : text.readyTitle(count)}</p>
        {count > 0 && <p>{text.fromWorkspace(visibleText(current?.name ?? ''))}</p>}
        {count > 0 && tally.needsMd5 > 0 && <p>{text.needsMd5Then(tally.needsMd5)}</p>}
        {count === 0 && <p>{tally.needsMd5 > 0 ? text.onlyUnknown : text.allHere}</p>}
      </div>
      <FoundTable count={found} />
    </>
  );
}

function Adding({ added }: { added: number }) {
  const { list, stopAdding } = useBulkDesk();
  return (
    <div className={styles.adding}>
      <p role="status" data-figures>{text.adding(added, list.kind === 'read' ? list.summary.found : 0)}</p>
      <Button size="small" onPress={stopAdding}>{text.stop}</Button>
    </div>
  );
}
