import { type CSSProperties, useMemo, useState } from 'react';
import type { ByteSource } from '../../../../shared/domain/byte-view.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { formatNumber } from '../../../components/format.ts';
import { CursorFacts } from '../../../components/hex/cursor-facts.tsx';
import { type ByteSpan, shortOffset } from '../../../components/hex/hex-mark.ts';
import { HexView } from '../../../components/hex/hex-view.tsx';
import { useScanPlace } from '../../../features/scans/scan-places.tsx';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './bytes.module.css';
import { MatchTracks } from './match-tracks.tsx';
import type { ShownFile } from './shown-file.ts';
import type { ShownHit, ShownMatch } from './shown-hits.ts';
import { text } from './strings.ts';

const none: readonly ShownMatch[] = [];

/** Where the rules matched along the file, and the bytes there. Without a rule: the bytes alone. */
export function BytesPane({
  jobId,
  shown: { file, ...rest },
  toBytes,
}: {
  jobId: number;
  shown: ShownFile;
  toBytes(): void;
}) {
  const source = useMemo((): ByteSource => ({ kind: 'scan', jobId, position: file.position }), [jobId, file.position]);
  const { sizeBytes, error } = useFileSize(source, file);
  if (error !== null)
    return (
      <div className={layout.inset}>
        <ReadFailure failure={error} of="bytes.read" />
      </div>
    );
  return sizeBytes === null ? null : (
    <BytesOf key={file.position} jobId={jobId} source={source} sizeBytes={sizeBytes} toBytes={toBytes} {...rest} />
  );
}

/** As the scan has it; else the bytes themselves are asked. */
function useFileSize(source: ByteSource, { sizeBytes }: ScannedFile) {
  const { data, error } = useOperation(
    'bytes.read',
    { source, window: { offset: 0, length: 1 } },
    { enabled: sizeBytes === null },
  );
  return { sizeBytes: sizeBytes ?? data?.sizeBytes ?? null, error: sizeBytes === null ? error : null };
}

interface BytesOfProps extends Omit<ShownFile, 'file'> {
  jobId: number;
  source: ByteSource;
  sizeBytes: number;
  toBytes(): void;
}

function BytesOf({ jobId, source, sizeBytes, hits, hit, matches, match, toBytes }: BytesOfProps) {
  const { values } = useSettings();
  const [, note] = useScanPlace(jobId);
  const [cursor, setCursor] = useState(() => matches[match]?.offset ?? 0);
  const [window, setWindow] = useState<ByteSpan | null>(null);
  const [goTo, setGoTo] = useState<{ offset: number; times: number }>();
  const rows = useMemo(() => matches.map((each, at) => ({ ...each, at })), [matches]);
  // Also when it is where one was already: what is pressed is shown.
  const show = (offset: number): void => setGoTo((before) => ({ offset, times: (before?.times ?? 0) + 1 }));
  const showMatch = (rule: string, at: number, offset: number): void => {
    note({ rule, match: at });
    show(offset);
  };
  return (
    <>
      {hit !== null && (
        <MatchTracks
          source={source}
          sizeBytes={sizeBytes}
          hits={hits}
          chosen={hit}
          match={match}
          window={window}
          onMatch={showMatch}
          onGoTo={show}
        />
      )}
      <div className={classNames(layout.panes, styles.bytes)}>
        <div className={layout.pane} data-pane data-bytes>
          <HexView
            source={source}
            sizeBytes={sizeBytes}
            marks={hit === null ? none : matches}
            current={match}
            onCurrent={(at) => hit !== null && note({ rule: hit.rule, match: at })}
            goTo={goTo}
            onCursor={setCursor}
            onWindow={setWindow}
            letters={values.singleLetterKeys}
          />
        </div>
        <div className={classNames(layout.stack, styles.beside)} data-pane data-matches>
          {hit !== null && (
            <MatchList
              hit={hit}
              matches={rows}
              current={match}
              onChoose={({ at, offset }) => showMatch(hit.rule, at, offset)}
              onOpen={toBytes}
            />
          )}
          {sizeBytes > 0 && (
            <section
              className={classNames(layout.stack6, layout.bottom, layout.inset, styles.cursor)}
              aria-label={text.atCursor}
            >
              <h2 className={typography.title}>{text.atCursor}</h2>
              <CursorFacts source={source} sizeBytes={sizeBytes} offset={Math.min(cursor, sizeBytes - 1)} />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

const bytesShown = 8;
const charactersShown = 24;
const leastText = 4;

/** The bytes of a match as a person reads them: text where they are some, else digits in pairs. */
export function formatMatchData({ data, length }: Pick<ShownMatch, 'data' | 'length'>): string {
  if (data === null) return text.dataUnknown;
  const bytes = data.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const isWhole = bytes.length >= length;
  const wide =
    bytes.length > 0 && bytes.length % 2 === 0 && bytes.every((byte, at) => at % 2 === 0 || byte === 0)
      ? bytes.filter((_, at) => at % 2 === 0)
      : null;
  if (wide !== null && isText(wide)) return `${quoted(wide, isWhole)} ${text.wide}`;
  if (isText(bytes)) return quoted(bytes, isWhole);
  const shown = bytes
    .slice(0, bytesShown)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' ');
  return isWhole && bytes.length <= bytesShown ? shown : `${shown} …`;
}

const isText = (bytes: readonly number[]): boolean =>
  bytes.length >= leastText && bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

function quoted(bytes: readonly number[], isWhole: boolean): string {
  const words = String.fromCharCode(...bytes.slice(0, charactersShown));
  return isWhole && bytes.length <= charactersShown ? `"${words}"` : `"${words}…"`;
}

type Row = ShownMatch & { at: number };

/** CSS pixels; the style sheet has the same value. */
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

interface MatchListProps {
  hit: ShownHit;
  matches: readonly Row[];
  current: number;
  onChoose(match: Row): void;
  /** Enter: to its bytes. */
  onOpen(): void;
}

/** Every match of a rule, by its place in the file. */
function MatchList({ hit, matches, current, onChoose, onOpen }: MatchListProps) {
  const { values } = useSettings();
  const heights: CSSProperties & Record<'--list', string> = {
    '--list': `${headHeight + Math.max(1, matches.length) * rowHeight}px`,
  };
  const total = hit.isAtLeast ? text.atLeast(hit.matches) : formatNumber(hit.matches);
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
  const words = visibleText(formatMatchData(match));
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
