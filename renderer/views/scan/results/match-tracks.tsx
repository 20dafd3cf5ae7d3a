import { type MouseEvent, useMemo, useRef } from 'react';
import type { ByteSource } from '../../../../shared/domain/byte-view.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useElementWidth } from '../../../components/data-grid/grid-column.ts';
import {
  ByteLegend,
  ByteMap,
  type TrackTick,
  trackTicks,
  nearestMatch,
  tickOf,
} from '../../../components/hex/byte-map.tsx';
import { type ByteSpan, offsetDigits, paddedOffset } from '../../../components/hex/hex-mark.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './tracks.module.css';
import { matchesOf, type ShownHit } from './shown-hits.ts';
import { text } from './strings.ts';

/** As many rules as can be distinguished; the others are in the list. */
const tracksShown = 24;
/** CSS pixels, until the place is measured. */
const usualWidth = 560;
const size = { height: 20, tick: 8 } as const;
/** CSS pixels: a character of the label, and the gap before it. */
const label = { character: 6.2, gap: 9 } as const;

interface MatchTracksProps {
  source: ByteSource;
  sizeBytes: number;
  hits: readonly ShownHit[];
  chosen: ShownHit;
  match: number;
  /** The bytes in sight below. */
  window: ByteSpan | null;
  onMatch(rule: string, match: number, offset: number): void;
  onGoTo(offset: number): void;
}

/**
 * Where along the file each rule matched, under what the file looks like. The keys lead through the lists beside it.
 */
export function MatchTracks({ source, sizeBytes, hits, chosen, match, window, onMatch, onGoTo }: MatchTracksProps) {
  const track = useRef<HTMLDivElement>(null);
  const width = useElementWidth(track) ?? usualWidth;
  const digits = offsetDigits(sizeBytes);
  const matching = hits.filter(({ strings, news }) => news !== 'lost' && strings.length > 0);
  const shown = matching.slice(0, tracksShown);
  if (matching.includes(chosen) && !shown.includes(chosen)) shown.push(chosen);
  return (
    <section className={classNames(layout.stack, layout.top, styles.panel)} data-pane aria-label={text.tracks}>
      <div className={classNames(layout.baselineWrap, styles.head)}>
        <h2 className={typography.title}>{text.tracks}</h2>
        <ByteLegend />
      </div>
      <div className={styles.row}>
        <span className={typography.note}>{text.bytesRow}</span>
        <div ref={track}>
          <ByteMap source={source} sizeBytes={sizeBytes} window={window} onGoTo={onGoTo} />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <div className={styles.tracks} role="group" tabIndex={shown.length > 6 ? 0 : undefined} aria-label={text.hitList}>
        {shown.map((hit) => (
          <Track
            key={hit.rule}
            hit={hit}
            sizeBytes={sizeBytes}
            width={width}
            match={hit === chosen ? match : null}
            onMatch={(at, offset) => onMatch(hit.rule, at, offset)}
          />
        ))}
      </div>
      {matching.length > shown.length && (
        <p className={typography.smallHint}>{text.moreTracks(matching.length - shown.length)}</p>
      )}
      <div className={styles.row} aria-hidden="true">
        <span />
        <p className={classNames(layout.between, typography.monoCaption)}>
          {[0, Math.floor(sizeBytes / 2), sizeBytes].map((offset, at) => (
            <span key={at}>{paddedOffset(offset, digits)}</span>
          ))}
        </p>
      </div>
    </section>
  );
}

/** `match`: the current one, in the track of the rule that is shown; null elsewhere. */
function Track({
  hit,
  sizeBytes,
  width,
  match,
  onMatch,
}: {
  hit: ShownHit;
  sizeBytes: number;
  width: number;
  match: number | null;
  onMatch(match: number, offset: number): void;
}) {
  const matches = useMemo(() => matchesOf(hit), [hit]);
  const ticks = useMemo(() => trackTicks(matches, sizeBytes, width), [matches, sizeBytes, width]);
  const current = match === null ? undefined : tickOf(ticks, match);
  const choose = (at: number | null): void => {
    const chosen = at === null ? undefined : matches[at];
    if (at !== null && chosen !== undefined) onMatch(at, chosen.offset);
  };
  const chooseNear = (event: MouseEvent<SVGSVGElement>): void =>
    choose(nearestMatch(ticks, event.clientX - event.currentTarget.getBoundingClientRect().left));
  const name = visibleText(hit.rule);
  return (
    <div className={classNames(styles.row, match !== null && styles.chosen, hit.mute !== null && styles.muted)}>
      {/* The list of rules handles the keys. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
            jsx-a11y/no-static-element-interactions */}
      <span className={classNames(typography.cut, styles.rule)} title={name} onClick={() => choose(0)}>
        <bdi>{name}</bdi>
      </span>
      {/* The list of matches handles the keys. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
            jsx-a11y/no-noninteractive-element-interactions */}
      <svg
        role="img"
        aria-label={text.track(name, hit.matches, ticks.length)}
        className={styles.track}
        height={size.height}
        onClick={chooseNear}
      >
        <line x1={0} x2="100%" y1={size.height / 2 + 0.5} y2={size.height / 2 + 0.5} className={styles.line} />
        {ticks.map((tick) => (
          <rect
            key={tick.first}
            x={tick.left}
            y={(size.height - size.tick) / 2}
            width={tick.width}
            height={size.tick}
            className={styles.tick}
          />
        ))}
        {current !== undefined && (
          <rect
            x={current.left - 3.5}
            y={2.5}
            width={current.width + 7}
            height={size.height - 5}
            className={styles.current}
          />
        )}
        {ticks.map((tick, at) => tick.count > 1 && <TickLabel key={tick.first} ticks={ticks} at={at} width={width} />)}
      </svg>
    </div>
  );
}

/** Beside its tick, if there is space before the next one. */
function TickLabel({ ticks, at, width }: { ticks: readonly TrackTick[]; at: number; width: number }) {
  const [before, tick, after] = [ticks[at - 1], ticks[at], ticks[at + 1]];
  if (tick === undefined) return null;
  const words = text.within(tick.count, tick.to - tick.from);
  const labelWidth = words.length * label.character + 2 * label.gap;
  const end = tick.left + tick.width;
  const isRight = end + labelWidth <= (after?.left ?? width);
  if (!isRight && tick.left - labelWidth < (before === undefined ? 0 : before.left + before.width)) return null;
  return (
    <text
      x={isRight ? end + label.gap : tick.left - label.gap}
      y={size.height / 2 + 4}
      textAnchor={isRight ? 'start' : 'end'}
      className={styles.label}
    >
      {words}
    </text>
  );
}
