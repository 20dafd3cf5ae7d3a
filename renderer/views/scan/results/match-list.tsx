import type { CSSProperties } from 'react';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { numberWords } from '../../../components/byte-words.ts';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { shortOffset } from '../../../components/hex/offsets.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './bytes.module.css';
import { dataWords } from './match-words.ts';
import type { ShownHit, ShownMatch } from './shown-hits.ts';
import { text } from './text.ts';

type Row = ShownMatch & { at: number };

/** CSS pixels; the style sheet says the same. */
const rowHeight = 44;
const headHeight = 33;
const columns: readonly GridColumn<Row>[] = [
  {
    id: 'match',
    title: text.matchList,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (match) => <MatchLine match={match} />,
  },
];

export interface MatchListProps {
  hit: ShownHit;
  matches: readonly Row[];
  current: number;
  onChoose(match: Row): void;
  /** Enter: to its bytes. */
  onOpen(): void;
}

/** Every match of a rule, by its place in the file. */
export function MatchList({ hit, matches, current, onChoose, onOpen }: MatchListProps) {
  const { values } = useSettings();
  const heights: CSSProperties & Record<'--list', string> = {
    '--list': `${headHeight + Math.max(1, matches.length) * rowHeight}px`,
  };
  const total = hit.isAtLeast ? text.atLeast(hit.matches) : numberWords(hit.matches);
  return (
    <section className={classNames(layout.stack, styles.matches)} style={heights} aria-label={text.matchList}>
      <div className={classNames(layout.row, layout.top, styles.matchesHead)} data-figures>
        <h2 className={typography.title}>{text.matchList}</h2>
        <span className={classNames(typography.smallNote, layout.fixed)}>
          {matches.length < hit.matches ? text.firstOf(matches.length, total) : total}
        </span>
      </div>
      {matches.length === 0 ? (
        <div className={classNames(typography.note, layout.inset)}>
          <p>{text.noMatchTitle}.</p>
          <p>{text.noMatchSentence}</p>
        </div>
      ) : (
        <DataGrid
          key={hit.rule}
          label={text.matchTable(visibleText(hit.rule))}
          columns={columns}
          count={matches.length}
          rowAt={(index) => matches[index]}
          keyOf={({ at }) => at}
          currentKey={current}
          onCurrent={onChoose}
          onOpen={onOpen}
          letters={values.singleLetterKeys}
          rowHeight={rowHeight}
          hasHead={false}
        />
      )}
    </section>
  );
}

function MatchLine({ match }: { match: Row }) {
  const { label, offset, saidLength } = match;
  const words = visibleText(dataWords(match));
  return (
    <div className={layout.stack1}>
      <p className={classNames(layout.spread, styles.entryLine)}>
        <bdi className={classNames(typography.cut, styles.string)} title={visibleText(label)}>
          {visibleText(label)}
        </bdi>
        <code className={classNames(layout.fixed, typography.code, typography.accent)}>{shortOffset(offset)}</code>
      </p>
      <p className={classNames(layout.spread, styles.entryLine)}>
        <bdi className={classNames(typography.cut, styles.data)} title={words}>
          {words}
        </bdi>
        <span className={classNames(typography.smallNote, layout.fixed)}>
          {saidLength === null ? text.lengthUnknown : text.byte(saidLength)}
        </span>
      </p>
    </div>
  );
}
