import { Binary } from 'lucide-react';
import { type MouseEvent, useMemo, useRef, useState } from 'react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import type { SampleHit, ScannedFile } from '../../../shared/domain/scan.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { useElementWidth } from '../../components/data-grid/grid-column.ts';
import { ByteLegend, ByteMap, trackTicks, nearestMatch } from '../../components/hex/byte-map.tsx';
import { type ByteSpan, type HexMark, offsetDigits, paddedOffset } from '../../components/hex/hex-mark.ts';
import { keys } from '../../keyboard/keys.ts';
import { lazyPart } from '../../state/lazy-dialog.tsx';
import { useKnownJobs } from '../../state/jobs.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import { type CurrentSample, useSampleHits } from './shown-sample.ts';
import { text } from './strings.ts';

/** CSS pixels, until the place is measured. */
const usualWidth = 680;
const tickHeight = 8;
const offsetsShown = 5;

interface BytesPartProps {
  source: ByteSource;
  sizeBytes: number;
  marks: readonly HexMark[];
  /** The bytes that are shown below; null: none are. */
  window: ByteSpan | null;
  isOpen: boolean;
  onToggle(): void;
  onGoTo(offset: number): void;
  /** To one of the marks. */
  onMark(index: number): void;
}

/** What the sample looks like from end to end, and where rules matched in it. Any place leads to its bytes. */
export function BytesPart({ source, sizeBytes, marks, window, isOpen, onToggle, onGoTo, onMark }: BytesPartProps) {
  const digits = offsetDigits(sizeBytes);
  const offsets = Array.from({ length: offsetsShown }, (_, at) => Math.floor((sizeBytes * at) / (offsetsShown - 1)));
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="bytes">
      <PartHead
        id="bytes"
        title={text.bytes}
        aside={
          <span className={classNames(layout.wrap, styles.legend)}>
            <span>{text.entropyLine}</span>
            <ByteLegend />
          </span>
        }
        action={
          <Button size="small" look="quiet" letter={keys.sample.bytes.keys} onPress={onToggle}>
            <Binary size={14} strokeWidth={1.6} aria-hidden="true" />
            {isOpen ? text.hideBytes : text.showBytes}
          </Button>
        }
      />
      <ByteMap source={source} sizeBytes={sizeBytes} window={window} onGoTo={onGoTo} />
      <MatchTicks marks={marks} sizeBytes={sizeBytes} onMark={onMark} />
      <p className={classNames(layout.between, typography.monoCaption)} aria-hidden="true">
        {offsets.map((offset, at) => (
          <span key={at}>{paddedOffset(offset, digits)}</span>
        ))}
      </p>
    </section>
  );
}

/** As high as the bytes: the rest of the page does not move when they are downloaded. */
export function NoBytes() {
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="bytes">
      <PartHead id="bytes" title={text.bytes} />
      <p className={classNames(typography.aside, styles.noBytes)}>{text.notInVault}</p>
    </section>
  );
}

/** Its place stays where there are none: the rest of the page does not move when they come. */
function MatchTicks({ marks, sizeBytes, onMark }: Pick<BytesPartProps, 'marks' | 'sizeBytes' | 'onMark'>) {
  const place = useRef<HTMLDivElement>(null);
  const width = useElementWidth(place) ?? usualWidth;
  const ticks = useMemo(() => trackTicks(marks, sizeBytes, width), [marks, sizeBytes, width]);
  const choose = (event: MouseEvent<SVGSVGElement>): void => {
    const at = nearestMatch(ticks, event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (at !== null) onMark(at);
  };
  return (
    <div ref={place} className={styles.ticks}>
      {ticks.length > 0 && (
        // The keys for this are N and P in the bytes.
        /* oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
             jsx-a11y/no-noninteractive-element-interactions */
        <svg
          role="img"
          aria-label={text.matchesIn(marks.length, ticks.length)}
          width="100%"
          height={tickHeight}
          onClick={choose}
        >
          {ticks.map((tick) => (
            <rect key={tick.first} x={tick.left} y={0} width={tick.width} height={tickHeight} className={styles.tick} />
          ))}
        </svg>
      )}
    </div>
  );
}

/** The bytes of the sample, as high as the page allows. */
export const BytesView = lazyPart(() => import('../../components/hex/hex-view.tsx').then((module) => module.HexView));

/** Where one is in the bytes of a sample. */
export interface ShownBytes {
  isOpen: boolean;
  /** The current one of the marks; -1: none. */
  mark: number;
  goTo: { offset: number; times: number } | undefined;
  /** The bytes in sight; null: none are shown. */
  window: ByteSpan | null;
  setWindow(window: ByteSpan): void;
  open(offset: number): void;
  openMark(index: number): void;
  setMark(index: number): void;
  toggle(): void;
  close(): void;
}

export function useShownBytes(marks: readonly HexMark[]): ShownBytes {
  const [isOpen, setOpen] = useState(false);
  const [mark, setMark] = useState(-1);
  const [goTo, setGoTo] = useState<{ offset: number; times: number }>();
  const [window, setWindow] = useState<ByteSpan | null>(null);
  const open = (offset: number): void => {
    setOpen(true);
    // Also when it is where one was already: what is pressed is shown.
    setGoTo((before) => ({ offset, times: (before?.times ?? 0) + 1 }));
  };
  return {
    isOpen,
    mark: Math.min(mark, marks.length - 1),
    goTo,
    window: isOpen ? window : null,
    setWindow,
    open,
    openMark: (index) => {
      setMark(index);
      open(marks[index]?.offset ?? 0);
    },
    setMark,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
  };
}

/** More than can be distinguished along a file. */
const mostMarks = 2000;

/**
 * Where rules matched in a scanned file, by offset, without muted matches and without those that a service places
 * beyond its end.
 */
export function matchMarks({ results, muted }: Pick<ScannedFile, 'results' | 'muted'>, sizeBytes: number): HexMark[] {
  const marks = new Map<string, HexMark>();
  for (const { hits } of results) {
    for (const { rule, strings } of hits) {
      if (muted.some((mute) => mute.rule === rule)) continue;
      for (const { id, matches } of strings) {
        for (const { offset, length, data } of matches) {
          if (offset < sizeBytes && marks.size < mostMarks)
            marks.set(`${offset} ${rule} ${id}`, {
              offset,
              length: length ?? (data ?? '').length / 2,
              label: `${rule} ${id}`,
            });
        }
      }
    }
  }
  return [...marks.values()].toSorted((one, other) => one.offset - other.offset || one.length - other.length);
}

/** The file of the scan that saw a rule in the sample last, of those that are still known. */
export function lastScan(
  hits: readonly SampleHit[],
  isKnown: (jobId: number) => boolean,
): { jobId: number; position: number } | null {
  let last: { jobId: number; position: number; lastSeen: string } | null = null;
  for (const { jobId, position, lastSeen, mute } of hits) {
    if (jobId === null || position === null || mute !== null || !isKnown(jobId)) continue;
    if (last === null || lastSeen > last.lastSeen) last = { jobId, position, lastSeen };
  }
  return last && { jobId: last.jobId, position: last.position };
}

const noMarks: readonly HexMark[] = [];

/** Where rules matched in the sample, by its last scan; none if that is no longer known. */
export function useMatchMarks(currentSample: CurrentSample): readonly HexMark[] {
  const { hits = [] } = useSampleHits(currentSample);
  const { byId } = useKnownJobs();
  const last = lastScan(hits, (jobId) => byId.has(jobId));
  const { data } = useOperation('scans.file', last ?? { jobId: 1, position: 1 }, { enabled: last !== null });
  const sizeBytes = currentSample.sample.sizeBytes ?? 0;
  return useMemo(() => (data === undefined ? noMarks : matchMarks(data, sizeBytes)), [data, sizeBytes]);
}
