import { EqualNot, TriangleAlert, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import { knownShort, noHitsWords } from '../../../../shared/domain/scan-table.ts';
import type { FamilyGroup, FileGroup, RuleGroup, ScanGroup } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { cutMiddle, formatNumber } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './list.module.css';
import { text } from './strings.ts';

/** As many digits as tables show. */
export const shortHash = 12;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

interface GroupLineProps {
  job: Pick<Job, 'task' | 'notices'>;
  group: ScanGroup;
  /** The files of the rule or the family that hit the most of them. */
  most: number;
  /** Both sides were asked: a rule may be found by one of them alone. */
  isByBoth: boolean;
}

/** One row of the results. */
export function GroupLine({ job, group, most, isByBoth }: GroupLineProps) {
  switch (group.by) {
    case 'file':
      return <FileLine job={job} file={group} />;
    case 'rule':
      return <RuleLine group={group} most={most} isByBoth={isByBoth} />;
    default:
      return <FamilyLine group={group} most={most} />;
  }
}

export interface LineProps {
  name: ReactNode;
  count?: ReactNode;
  /** What is counted, spoken. */
  countWords?: string;
  below: ReactNode;
  share?: ReactNode;
  isFaint?: boolean;
}

/** A name with its count, and under it what is to be known of it. */
export function Line({ name, count, countWords, below, share, isFaint = false }: LineProps) {
  return (
    <div className={classNames(layout.row8, styles.entry, isFaint && styles.faint)}>
      <div className={classNames(layout.stack1, layout.widest)}>
        <p className={classNames(typography.cutName, styles.entryName)}>{name}</p>
        <p className={classNames(layout.row6, typography.smallNote, styles.entryBelow)}>{below}</p>
        {share}
      </div>
      {count !== undefined && (
        <span className={classNames(layout.inline4, typography.note, layout.fixed)}>
          {count}
          {countWords !== undefined && <span className={aloud.only}> {countWords}</span>}
        </span>
      )}
    </div>
  );
}

function FileLine({ job, file }: Pick<GroupLineProps, 'job'> & { file: FileGroup }) {
  const known = file.known === null ? '' : knownShort(file.known);
  return (
    <Line
      name={file.name === null ? <code>{file.sha256.slice(0, shortHash)}</code> : <SampleName name={file.name} />}
      {...(file.hits > 0
        ? { count: formatNumber(file.hits), countWords: text.hits(file.hits).split(' ').at(-1) ?? '' }
        : {})}
      below={
        <>
          <NewsMarks added={file.added} lost={file.lost} />
          {file.agreement === 'differs' && (
            <Mark look="warn">
              <EqualNot {...icon} />
              {text.differs}
            </Mark>
          )}
          {file.isWithoutGlobal && (
            <Mark look="warn">
              <TriangleAlert {...icon} />
              {text.withoutGlobal}
            </Mark>
          )}
          {known !== '' && <Known words={known} />}
          <FileText job={job} file={file} />
        </>
      }
      isFaint={file.hits === 0 && known === '' && file.added === 0 && file.lost === 0}
    />
  );
}

/** What speaks against a file in which this scan has found nothing. */
function Known({ words }: { words: string }) {
  const shown = visibleText(words);
  return (
    <Mark look="known">
      <TriangleAlert {...icon} />
      <bdi className={typography.cut} title={shown}>
        {shown}
      </bdi>
    </Mark>
  );
}

function FileText({
  job,
  file: { hits, lost, rules, muted, failure, isNotUnderstood, state, looked },
}: Pick<GroupLineProps, 'job'> & { file: FileGroup }) {
  const aside = muted > 0 ? `, ${text.muted(muted)}` : '';
  if (hits > 0) return <RuleNames rules={rules} count={hits} aside={aside} />;
  if (isNotUnderstood)
    return (
      <Mark look="warn">
        <TriangleAlert {...icon} />
        {text.notUnderstood}
      </Mark>
    );
  if (failure !== null) {
    const { what } = describeFailure(failure);
    return (
      <Mark look="bad">
        <TriangleAlert {...icon} />
        <bdi dir="ltr" className={typography.cut} title={what}>
          {what}
        </bdi>
      </Mark>
    );
  }
  if (state === 'waiting' || state === 'cancelled') return <span>{text.states[state]}</span>;
  if (lost > 0) return <RuleNames rules={rules} count={lost} aside={aside} />;
  return state === 'done' || state === 'already-here' ? (
    <NoHits words={`${noHitsWords(job, looked)}${aside}`} />
  ) : (
    <Mark look="bad">
      <TriangleAlert {...icon} />
      {text.states.failed}
    </Mark>
  );
}

const NoHits = ({ words }: { words: string }) => (
  <span className={typography.cut} title={words}>
    {words}
  </span>
);

/** The first of so many. */
function RuleNames({ rules, count, aside }: { rules: readonly string[]; count: number; aside: string }) {
  const rest = count - rules.length;
  return (
    <bdi className={typography.cut}>
      {visibleText(rules.map((rule) => cutMiddle(rule, 40)).join(', '))}
      {rest > 0 && ` ${text.more(rest)}`}
      {aside}
    </bdi>
  );
}

function RuleLine({ group, most, isByBoth }: Omit<GroupLineProps, 'job' | 'group'> & { group: RuleGroup }) {
  const isMuted = group.files > 0 && group.muted === group.files;
  const words = [...new Set([...(group.family === null ? [] : [group.family]), ...group.tags])].join(', ');
  return (
    <Line
      name={
        <code>
          <bdi title={visibleText(group.rule)}>{visibleText(group.rule)}</bdi>
        </code>
      }
      count={
        <>
          {isMuted && <VolumeX {...icon} />}
          {formatNumber(group.files)}
        </>
      }
      countWords={`${text.files(group.files).split(' ').at(-1) ?? ''}${isMuted ? `, ${text.isMuted}` : ''}`}
      below={
        <>
          <NewsMarks added={group.added} lost={group.lost} />
          <span className={typography.cut}>
            <bdi>{visibleText(words)}</bdi>
            {isByBoth && formatSide(group, words !== '')}
            {!isMuted && group.muted > 0 && `, ${text.muted(group.muted)}`}
          </span>
        </>
      }
      share={<FileShare group={group} most={most} />}
      isFaint={isMuted}
    />
  );
}

function formatSide({ service, local, files }: RuleGroup, follows: boolean): string {
  const word = files === 0 || (service > 0 && local > 0) ? null : service > 0 ? text.only.service : text.only.local;
  return word === null ? '' : `${follows ? ', ' : ''}${word}`;
}

function FamilyLine({ group, most }: Pick<GroupLineProps, 'most'> & { group: FamilyGroup }) {
  return (
    <Line
      name={group.family === null ? text.noFamily : <bdi>{visibleText(group.family)}</bdi>}
      count={formatNumber(group.files)}
      countWords={text.files(group.files).split(' ').at(-1) ?? ''}
      below={
        <>
          <NewsMarks added={group.added} lost={group.lost} />
          <span className={typography.cut}>
            {text.rules(group.rules)}
            {group.files > 0 && `, ${group.matches > 0 ? text.matches(group.matches) : text.byCondition}`}
            {group.muted > 0 && `, ${text.muted(group.muted)}`}
          </span>
        </>
      }
      share={<FileShare group={group} most={most} />}
      isFaint={group.family === null}
    />
  );
}

/** Hits that a hunt found for the first time, and hits that are gone. */
function NewsMarks({ added, lost }: { added: number; lost: number }) {
  return (
    <>
      {added > 0 && <Mark look="added">{text.added(added)}</Mark>}
      {lost > 0 && <Mark look="lost">{text.lost(lost)}</Mark>}
    </>
  );
}

export function Mark({ look, children }: { look: 'added' | 'lost' | 'warn' | 'bad' | 'known'; children: ReactNode }) {
  return <span className={classNames(styles.mark, styles[look])}>{children}</span>;
}

/**
 * How many files a rule or a family hit, beside the one that hit the most, as a bar; new hits of a hunt come first in
 * it. The row shows both in figures.
 */
function FileShare({ group: { files, added }, most }: { group: RuleGroup | FamilyGroup; most: number }) {
  const share = (count: number): string => `${(100 * count) / Math.max(1, most, files)}%`;
  const news = Math.min(added, files);
  return (
    <span className={styles.share} aria-hidden="true">
      <span className={styles.shareAdded} style={{ inlineSize: share(news) }} />
      <span className={styles.shareKnown} style={{ inlineSize: share(files - news) }} />
    </span>
  );
}
