import { RotateCcw, ShieldCheck, ShieldX, TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { ByteStrip } from '../../../../shared/domain/byte-classes.ts';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import { isTlpUnknown } from '../../../../shared/domain/tag.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { paced } from '../../../bridge/paced.ts';
import { IconButton } from '../../../components/button.tsx';
import { ByteStripBar } from '../../../components/byte-strip.tsx';
import {
  cutMiddle,
  formatCount,
  formatExactSize,
  formatMinute,
  formatNumber,
  formatOtherZone,
  formatSize,
} from '../../../components/format.ts';
import { orderedTags, SampleName, TagChip } from '../../../components/service-text.tsx';
import { SeverityMark, SeverityWord } from '../../../components/severity.tsx';
import { chipsThatFit } from '../../../components/tag-field/tag-field.tsx';
import { TlpLamp } from '../../../components/tlp-select.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import styles from './cells.module.css';

/** As many digits as tables show. */
const shortHash = 12;
/** In bytes; from here on a column of figures would cut them. */
const leastInText = 100_000_000;
const longestWord = 48;

/** A sample whose SHA-256 is not known is shown by the hash that is, and which one that is is said. */
export function HashCell({ row: { hash, sha256 } }: { row: LibraryRow }) {
  return (
    <code className={typography.code} title={sha256 === null ? text.onlyMd5(hash) : hash}>
      {hash.slice(0, shortHash)}
    </code>
  );
}

export function NameCell({
  row: { name, vault, severity },
  marksSeverity,
}: {
  row: LibraryRow;
  marksSeverity: boolean;
}) {
  return (
    <span className={classNames(layout.row4, styles.nameCell)}>
      {marksSeverity && severity !== null && <SeverityMark level={severity} size={12} />}
      {(vault === 'missing' || vault === 'altered') && (
        <TriangleAlert className={styles.bad} size={14} strokeWidth={1.6} aria-label={text.vault[vault]} />
      )}
      {name === null || name === '' ? (
        <span className={typography.faint}>{text.unnamed}</span>
      ) : (
        <span className={styles.name} title={visibleText(name)}>
          <SampleName name={name} />
        </span>
      )}
    </span>
  );
}

/** Empty where the vault cannot give the bytes. */
export function StripCell({ row: { sha256, vault }, previews }: { row: LibraryRow; previews: RowPreviews }) {
  const strip = useSyncExternalStore(previews.subscribe, () =>
    sha256 === null || vault !== 'held' ? null : previews.stripOf(sha256),
  );
  return <ByteStripBar strip={strip} size="row" />;
}

/** Empty if a record was read and no TLP is set: that is known. */
export function TlpCell({ row }: { row: LibraryRow }) {
  if (isTlpUnknown(row))
    return (
      <span className={typography.faint} title={text.tlpUnknownWhy}>
        {text.unknown}
      </span>
    );
  return row.tlp === null ? null : (
    <span className={classNames(layout.row, styles.tlp)}>
      <TlpLamp level={row.tlp} />
    </span>
  );
}

/** Empty where no record states one: most rows would repeat that. */
export function SeverityCell({ row: { severity } }: { row: LibraryRow }) {
  return severity === null ? null : <SeverityWord level={severity} />;
}

/** Text of a service, cut in its middle. */
export function WordCell({ word }: { word: string | null }) {
  return word === null ? null : <bdi title={visibleText(word)}>{visibleText(cutMiddle(word, longestWord))}</bdi>;
}

/** To the byte, as long as that can be read in a row. */
export function SizeCell({ bytes }: { bytes: number | null }) {
  if (bytes === null) return null;
  return bytes < leastInText ? formatNumber(bytes) : <span title={formatExactSize(bytes)}>{formatSize(bytes)}</span>;
}

/** An absent count is faint; 0 means that it was searched for. */
export function CountCell({ count }: { count: number }) {
  return (
    <span className={classNames(count === 0 ? typography.faint : typography.strong)} title={formatNumber(count)}>
      {formatCount(count)}
    </span>
  );
}

/** `11-18 14:21`, in the shown zone; in another year than this one with the year and without the time. */
export function SeenCell({ time, thisYear }: { time: string; thisYear: number }) {
  const date = new Date(time);
  const whole = formatMinute(date);
  const isThisYear = whole.startsWith(`${thisYear}-`);
  return (
    <time
      dateTime={time}
      title={[whole, formatOtherZone(date)].filter((part) => part !== null).join(', ')}
      className={styles.seen}
    >
      {isThisYear ? whole.slice(5, 16) : whole.slice(0, 10)}
    </time>
  );
}

export function VaultCell({ row, onFetch }: { row: LibraryRow; onFetch(row: LibraryRow): void }) {
  const { vault, name, hash } = row;
  if (vault === 'none') return <span className={typography.faint}>{text.vault.none}</span>;
  if (vault === 'held')
    return (
      <span className={classNames(layout.row4, typography.ok, styles.held)}>
        <ShieldCheck size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.vault.held}
      </span>
    );
  return (
    <span className={classNames(layout.row4, typography.bad, styles.held)}>
      <ShieldX size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.vault[vault]}
      <IconButton
        label={text.fetchAgain(visibleText(name ?? hash.slice(0, shortHash)))}
        excludeFromTabOrder
        onPress={() => onFetch(row)}
      >
        <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
      </IconButton>
    </span>
  );
}

interface TagLineProps {
  tags: readonly string[];
  serviceTags: readonly string[];
  space: TagSpace;
}

/** Whole chips on one line, and how many more there are. */
export function TagLine({ tags, serviceTags, space: { subscribe, snapshot, watch } }: TagLineProps) {
  const width = useSyncExternalStore(subscribe, snapshot);
  const all = orderedTags(tags, serviceTags);
  const fit = chipsThatFit(
    all.map(({ tag }) => chipWidth(visibleText(tag))),
    width,
  );
  const rest = all.slice(fit);
  return (
    <span ref={watch} className={classNames(layout.row4, styles.tags)}>
      {all.slice(0, fit).map(({ tag, isForeign }) => (
        <TagChip key={`${isForeign ? 'service' : 'own'} ${tag}`} tag={tag} isForeign={isForeign} />
      ))}
      {rest.length > 0 && (
        <span
          className={classNames(typography.smallHint, layout.fixed)}
          title={rest.map(({ tag }) => visibleText(tag)).join(', ')}
        >
          {fit === 0 ? text.tags(rest.length) : text.moreTags(rest.length)}
        </span>
      )}
    </span>
  );
}

/** Measures the cells of one column by the first of them: they are all of one width, and a table draws many. */
export class TagSpace {
  readonly #listeners = new Set<() => void>();
  readonly #observer =
    typeof ResizeObserver === 'undefined'
      ? null
      : new ResizeObserver((entries) => this.#note(entries.at(-1)?.contentRect.width ?? 0));
  #width = 120;

  /** CSS pixels. */
  readonly snapshot = (): number => this.#width;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** As the `ref` of a cell. */
  readonly watch = (cell: HTMLElement | null): (() => void) | undefined => {
    if (cell === null || this.#observer === null) return undefined;
    const observer = this.#observer;
    observer.observe(cell);
    return () => observer.unobserve(cell);
  };

  #note(width: number): void {
    const whole = Math.floor(width);
    if (whole === 0 || whole === this.#width) return;
    this.#width = whole;
    for (const listener of this.#listeners) listener();
  }
}

/** What a chip has around its text, in CSS pixels, as the style sheet has it. */
const around = 13;
/** Where nothing can be measured. */
const usualCharacter = 6;
const mostKnown = 5000;

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

/**
 * How wide the chip of a tag is, in CSS pixels: worked out, since laying it out to see would cost each row a look at
 * the page.
 */
function chipWidth(shown: string): number {
  const known = widths.get(shown);
  if (known !== undefined) return known;
  const width = Math.ceil(measured(shown)) + around;
  // A font that is still on its way measures as another one.
  if (document.fonts?.status !== 'loaded') return width;
  if (widths.size >= mostKnown) widths.clear();
  widths.set(shown, width);
  return width;
}

function measured(shown: string): number {
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d');
    if (pen) pen.font = '400 11px "Inter Variable"';
  }
  return pen?.measureText(shown).width ?? shown.length * usualCharacter;
}

/** As many as one call takes. */
const atOnce = 100;
/** Rows that a scroll passes are asked for together, or not at all. */
const requestEveryMs = 150;
/** As many strips are remembered: some 200 bytes each. */
const kept = 20_000;

/**
 * The byte previews of rows. Rows that become visible are requested in batches; rows that left before their turn are
 * not.
 */
export class RowPreviews {
  readonly #bridge: Bridge<File>;
  readonly #strips = new Map<string, ByteStrip | null>();
  readonly #listeners = new Set<() => void>();
  readonly #ask: () => void;
  #requested: readonly string[] = [];

  constructor(bridge: Bridge<File>) {
    this.#bridge = bridge;
    this.#ask = paced(requestEveryMs, () => this.#read());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** null: there is none, or it is not known yet. */
  stripOf(sha256: string): ByteStrip | null {
    return this.#strips.get(sha256) ?? null;
  }

  /** Those in sight: only bytes in the vault can be looked at. */
  want(rows: readonly LibraryRow[]): void {
    this.#requested = rows.flatMap(({ sha256, vault }) =>
      sha256 !== null && vault === 'held' && !this.#strips.has(sha256) ? [sha256] : [],
    );
    if (this.#requested.length > 0) this.#ask();
  }

  async #read(): Promise<void> {
    const sha256s = this.#requested.slice(0, atOnce);
    this.#requested = this.#requested.slice(atOnce);
    if (sha256s.length === 0) return;
    const answer = await this.#bridge.call('library.previews', { sha256s: [...sha256s] });
    // A row without its strip still shows everything else; the next time it is visible it is requested again.
    if (!answer.ok) return;
    for (const { sha256, strip } of answer.value.previews) this.#keep(sha256, strip);
    for (const listener of this.#listeners) listener();
    if (this.#requested.length > 0) this.#ask();
  }

  #keep(sha256: string, strip: ByteStrip | null): void {
    this.#strips.set(sha256, strip);
    const [oldest] = this.#strips.keys();
    if (this.#strips.size > kept && oldest !== undefined) this.#strips.delete(oldest);
  }
}
