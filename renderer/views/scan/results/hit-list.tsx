import { VolumeX } from 'lucide-react';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { numberWords } from '../../../components/byte-words.ts';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import { Line, type LineProps, Mark } from './group-line.tsx';
import type { ShownHit } from './shown-hits.ts';
import { text } from './text.ts';

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

export interface HitListProps {
  hits: readonly ShownHit[];
  chosen: string | null;
  /** Rows that are seen at once. */
  rows: number;
  onChoose(hit: ShownHit): void;
  /** Enter: on to its matches. */
  onOpen(): void;
}

/** The rules that hit the file. What is new comes first, what is muted last, and says so. */
export function HitList({ hits, chosen, rows, onChoose, onOpen }: HitListProps) {
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

/** A rule that needed no string counts none: below it says why it is there. */
function countOf({ mute, news, matches, isAtLeast }: ShownHit): Pick<LineProps, 'count' | 'countWords'> {
  if (news === 'lost' || (matches === 0 && mute === null)) return {};
  const icon = mute !== null && <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />;
  const number = isAtLeast ? text.atLeast(matches) : numberWords(matches);
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
