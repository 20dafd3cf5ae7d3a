import { VolumeX } from 'lucide-react';
import type { Job } from '../../../../shared/domain/job.ts';
import { lookedWords } from '../../../../shared/domain/scan-table.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { formatExactSize, formatNumber } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { TlpLabel } from '../../../components/tlp-select.tsx';
import { useScanPlace } from '../../../features/scans/scan-places.tsx';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import { Line, type LineProps, Mark, shortHash } from './group-line.tsx';
import { RuleFacts, Tags } from './rule-facts.tsx';
import { isWithoutHits, rulesOf, type ShownFile } from './shown-file.ts';
import type { ShownHit } from './shown-hits.ts';
import { text } from './strings.ts';
import { Fact, WhereScanned } from './where-scanned.tsx';

/** Where it is alone in its pane, and where a list of files is above it. */
const rowsSeen = { alone: 8, below: 2.5 } as const;

interface FileSideProps {
  job: Job;
  shown: ShownFile;
  /** From the list of its rules to its bytes. */
  onOpen(): void;
}

/** A file in words: the rules that hit it, where it was scanned, and the rule that is shown. */
export function FileSide({ job, shown, onOpen }: FileSideProps) {
  const { file, hits, hit } = shown;
  const [, note] = useScanPlace(job.id);
  const isAlone = job.items === 1;
  const muted = hits.filter(({ mute }) => mute !== null).length;
  const lost = hits.filter(({ news }) => news === 'lost').length;
  const found = hits.length - muted - lost;
  return (
    <section
      className={isAlone ? classNames(layout.stack, layout.grow, styles.alone) : classNames(layout.stack, styles.below)}
      data-pane
      data-file
      aria-label={text.file(file.name ?? file.sha256.slice(0, shortHash))}
    >
      {!isAlone && (
        <h2 className={styles.fileName}>
          {file.name === null ? <code>{file.sha256.slice(0, shortHash)}</code> : <SampleName name={file.name} />}
        </h2>
      )}
      {hits.length + file.results.length > 0 && (
        <p className={classNames(layout.spreadRow, typography.note, styles.hitsHead)} role="status" data-figures>
          <strong>
            {found > 0
              ? text.rulesHit(found)
              : isWithoutHits(job, shown) || muted + lost > 0
                ? text.noHits(lookedWords(job, rulesOf(file)))
                : text.notKnown}
          </strong>
          <span>{[...(lost > 0 ? [text.lost(lost)] : []), ...(muted > 0 ? [text.muted(muted)] : [])].join(', ')}</span>
        </p>
      )}
      <HitList
        hits={hits}
        chosen={hit?.rule ?? null}
        rows={isAlone ? rowsSeen.alone : rowsSeen.below}
        onChoose={({ rule }) => rule !== hit?.rule && note({ rule, match: 0 })}
        onOpen={onOpen}
      />
      <WhereScanned file={file} />
      {hit !== null && <RuleFacts file={file} hit={hit} workspaceId={job.workspaceId} />}
      <FileFacts file={file} />
    </section>
  );
}

/** What is known of the file itself. */
function FileFacts({ file: { sha256, md5, sizeBytes, inVault, tags, tlp } }: { file: ScannedFile }) {
  return (
    <section className={classNames(layout.stack8, layout.insetLine, styles.part)} aria-label={text.facts}>
      <h2 className={typography.title}>{text.facts}</h2>
      <dl className={styles.ruleFacts} data-figures>
        <Fact name={text.sha256}>
          <span className={classNames(layout.flex4, styles.hash)}>
            <code className={classNames(typography.code, typography.anywhere)}>{sha256}</code>
            <CopyIcon text={sha256} label={text.copySha256} />
          </span>
        </Fact>
        {md5 !== null && (
          <Fact name={text.md5}>
            <code className={classNames(typography.code, typography.anywhere)}>{md5}</code>
          </Fact>
        )}
        {sizeBytes !== null && <Fact name={text.size}>{formatExactSize(sizeBytes)}</Fact>}
        <Fact name={text.vault}>{inVault ? text.inVault : text.notInVault}</Fact>
        {tlp !== null && (
          <Fact name="TLP">
            <TlpLabel level={tlp} />
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={text.tags}>
            <Tags tags={tags} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

const rowHeight = 44;
const columns: readonly GridColumn<ShownHit>[] = [
  {
    id: 'rule',
    title: text.hitList,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (hit) => <HitLine hit={hit} />,
  },
];

interface HitListProps {
  hits: readonly ShownHit[];
  chosen: string | null;
  /** Rows that are seen at once. */
  rows: number;
  onChoose(hit: ShownHit): void;
  /** Enter: on to its matches. */
  onOpen(): void;
}

/** The rules that hit the file. New ones come first, muted ones last, marked as muted. */
function HitList({ hits, chosen, rows, onChoose, onOpen }: HitListProps) {
  const { values } = useSettings();
  if (hits.length === 0) return null;
  return (
    <div className={styles.hits} data-hits style={{ height: Math.min(hits.length, rows) * rowHeight }}>
      <DataGrid
        label={text.hitList}
        columns={columns}
        count={hits.length}
        rowAt={(index) => hits[index]}
        keyOf={({ rule }) => rule}
        currentKey={chosen}
        onCurrent={onChoose}
        onOpen={onOpen}
        letters={values.singleLetterKeys}
        rowHeight={rowHeight}
        hasHead={false}
      />
    </div>
  );
}

function HitLine({ hit }: { hit: ShownHit }) {
  const { rule, mute, news } = hit;
  return (
    <Line
      name={
        <code>
          <bdi title={visibleText(rule)}>{visibleText(rule)}</bdi>
        </code>
      }
      {...countOf(hit)}
      below={
        <>
          {news === 'added' && <Mark look="added">{text.isNew}</Mark>}
          {news === 'lost' && <Mark look="lost">{text.isLost}</Mark>}
          <bdi className={typography.cut}>
            {mute === null
              ? visibleText(wordsOf(hit).join(', '))
              : visibleText(text.hitAside(mute.expires?.slice(0, 10) ?? null, mute.reason))}
          </bdi>
        </>
      }
      isFaint={mute !== null}
    />
  );
}

function wordsOf({ family, tags, only, news, matches }: ShownHit): string[] {
  const own = new Set([...(family === null ? [] : [family]), ...tags]);
  return [
    ...own,
    ...(only === null ? [] : [text.only[only]]),
    ...(news === 'lost' || matches > 0 ? [] : [text.byCondition]),
  ];
}

/** A rule that needed no string has no count: the line below shows why it is listed. */
function countOf({ mute, news, matches, isAtLeast }: ShownHit): Pick<LineProps, 'count' | 'countWords'> {
  if (news === 'lost' || (matches === 0 && mute === null)) return {};
  const icon = mute !== null && <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />;
  const number = isAtLeast ? text.atLeast(matches) : formatNumber(matches);
  const words = [
    ...(matches === 0 ? [] : [text.matches(matches).split(' ').at(-1) ?? '']),
    ...(mute === null ? [] : [text.isMuted]),
  ];
  return {
    count: (
      <>
        {icon}
        {matches > 0 && number}
      </>
    ),
    countWords: words.join(', '),
  };
}
