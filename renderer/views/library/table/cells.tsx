import { RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import { isTlpUnknown } from '../../../../shared/domain/tlp.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { IconButton } from '../../../components/button.tsx';
import { ByteStripBar } from '../../../components/byte-strip.tsx';
import { countWords, exactSizeWords, numberWords, sizeWords } from '../../../components/byte-words.ts';
import { CutName } from '../../../components/cut-name.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { TlpLamp } from '../../../components/tlp-select.tsx';
import { minuteWords } from '../../../components/utc-time.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../text.ts';
import styles from './cells.module.css';
import type { RowLooks } from './row-looks.ts';

/** As many digits as tables show. */
const shortHash = 12;
/** In bytes; from here on a column of figures would cut them. */
const leastInWords = 100_000_000;
const longestWord = 48;

/** A sample whose SHA-256 is not known is shown by the hash that is, and which one that is is said. */
export function HashCell({ row: { hash, sha256 } }: { row: LibraryRow }) {
  return (
    <code className={typography.code} title={sha256 === null ? text.onlyMd5(hash) : hash}>
      {hash.slice(0, shortHash)}
    </code>
  );
}

export function NameCell({ row: { name, vault } }: { row: LibraryRow }) {
  return (
    <span className={classNames(layout.row4, styles.nameCell)}>
      {(vault === 'missing' || vault === 'altered') && (
        <TriangleAlert className={styles.bad} size={14} strokeWidth={1.6} aria-label={text.vault[vault]} />
      )}
      {name === null || name === '' ? (
        <span className={typography.faint}>{text.unnamed}</span>
      ) : (
        <span className={styles.name} title={visibleText(name)}>
          <CutName name={name} />
        </span>
      )}
    </span>
  );
}

/** Empty where the vault cannot give the bytes. */
export function StripCell({ row: { sha256, vault }, looks }: { row: LibraryRow; looks: RowLooks }) {
  const strip = useSyncExternalStore(looks.subscribe, () =>
    sha256 === null || vault !== 'held' ? null : looks.stripOf(sha256),
  );
  return <ByteStripBar strip={strip} size="row" />;
}

/** Empty where a record was read, and nobody says one: that is known. */
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

/** Text of a service, cut in its middle. */
export function WordCell({ word }: { word: string | null }) {
  return word === null ? null : <bdi title={visibleText(word)}>{visibleText(cutMiddle(word, longestWord))}</bdi>;
}

/** To the byte, as long as that can be read in a row. */
export function SizeCell({ bytes }: { bytes: number | null }) {
  if (bytes === null) return null;
  return bytes < leastInWords ? numberWords(bytes) : <span title={exactSizeWords(bytes)}>{sizeWords(bytes)}</span>;
}

/** What there is none of is faint; 0 says that it was looked for. */
export function CountCell({ count }: { count: number }) {
  return (
    <span className={classNames(count === 0 ? typography.faint : typography.strong)} title={numberWords(count)}>
      {countWords(count)}
    </span>
  );
}

/** `11-18 14:21`, in UTC; in another year than this one with the year and without the time. */
export function SeenCell({ time, thisYear }: { time: string; thisYear: number }) {
  const date = new Date(time);
  const whole = minuteWords(date);
  const isThisYear = date.getUTCFullYear() === thisYear;
  return (
    <time dateTime={time} title={whole} className={styles.seen}>
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
    <span className={classNames(layout.row4, typography.ok, styles.held, styles.bad)}>
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
