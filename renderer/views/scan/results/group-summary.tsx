import { FileSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { formatNumber } from '../../../components/format.ts';
import { type FilesGroup, type NotePlace, useScanPlace } from '../../../features/scans/scan-places.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import files from './file.module.css';
import styles from './results.module.css';
import { ShowRule, Tags } from './rule-facts.tsx';
import { latestOf, useListedGroups } from './scan-groups.ts';
import { text } from './strings.ts';
import { Fact } from './where-scanned.tsx';

interface GroupSummaryProps {
  group: FilesGroup;
  workspaceId: string | null;
  onShowFiles(): void;
}

/** A rule or a family over all files of the job, and the way to them. */
function GroupSummary({ group, workspaceId, onShowFiles }: GroupSummaryProps) {
  const name = visibleText(group.by === 'rule' ? group.rule : (group.family ?? text.noFamily));
  const words = text.groupFacts;
  const canNarrow = group.by === 'rule' || group.family !== null;
  return (
    <section className={classNames(layout.stack12, styles.group)} data-pane data-group aria-label={text.group(name)}>
      <h2 className={typography.monoHeading}>
        <bdi>{name}</bdi>
      </h2>
      <dl className={files.groupFacts} data-figures>
        <Fact name={words.files}>{formatNumber(group.files)}</Fact>
        {group.by === 'family' && <Fact name={words.rules}>{formatNumber(group.rules)}</Fact>}
        <Fact name={words.matches}>
          {group.files > 0 && group.matches === 0 ? text.noneBut(text.byCondition) : formatNumber(group.matches)}
        </Fact>
        {group.by === 'rule' && <RuleFactsOf group={group} />}
        <Counted name={words.muted} count={group.muted} />
        <Counted name={words.added} count={group.added} />
        <Counted name={words.lost} count={group.lost} />
      </dl>
      <div className={layout.wrapRow8}>
        {canNarrow && (
          <Button onPress={onShowFiles}>
            <FileSearch size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.showFiles(group.files)}
          </Button>
        )}
        {group.by === 'rule' && workspaceId !== null && <ShowRule workspaceId={workspaceId} rule={group.rule} />}
      </div>
    </section>
  );
}

function RuleFactsOf({
  group: { family, tags, service, local },
}: {
  group: Extract<FilesGroup, { by: 'rule' }>;
}): ReactNode {
  const words = text.groupFacts;
  return (
    <>
      {family !== null && (
        <Fact name={words.family}>
          <bdi>{visibleText(family)}</bdi>
        </Fact>
      )}
      {tags.length > 0 && (
        <Fact name={words.tags}>
          <Tags tags={tags} />
        </Fact>
      )}
      {service > 0 && local > 0 && service !== local && (
        <>
          <Fact name={words.service}>{text.files(service)}</Fact>
          <Fact name={words.local}>{text.files(local)}</Fact>
        </>
      )}
    </>
  );
}

function Counted({ name, count }: { name: string; count: number }) {
  return count === 0 ? null : <Fact name={name}>{text.files(count)}</Fact>;
}

/** The current rule or family of the list, with its current counts. */
export function GroupBody({ job, toList }: { job: Job; toList(): void }) {
  const [{ by, group }, note] = useScanPlace(job.id);
  const windows = useListedGroups(job.id);
  if (group === null || group.by !== by) return null;
  const showFiles = (): void => {
    narrowTo(group, note);
    toList();
  };
  return <GroupSummary group={latestOf(windows, group)} workspaceId={job.workspaceId} onShowFiles={showFiles} />;
}

/** The files of a rule or a family alone. Those of no family are no group of their own. */
export function narrowTo(group: FilesGroup, note: NotePlace): void {
  const name = group.by === 'rule' ? group.rule : group.family;
  if (name === null) return;
  note({
    by: 'file',
    group,
    narrowing: { by: group.by, name },
    position: null,
    isSettled: false,
    match: 0,
    ...(group.by === 'rule' ? { rule: name } : {}),
  });
}
