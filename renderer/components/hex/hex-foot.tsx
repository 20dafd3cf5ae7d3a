import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Button } from '../button.tsx';
import { useLate } from '../use-late.ts';
import type { HexMark } from './hex-mark.ts';
import styles from './hex-view.module.css';
import type { Stretch } from './mark-spans.ts';
import { shortOffset } from './offsets.ts';
import { text } from './text.ts';
import type { CopyAs } from './use-byte-copy.ts';

export interface HexFootProps {
  cursor: number;
  sizeBytes: number;
  selected: Stretch | null;
  /** The one that the cursor is in. */
  mark: HexMark | null;
  isReading: boolean;
  /** What became of copying; empty: nothing is to be said. */
  said: string;
  onCopy(as: CopyAs): void;
}

/** Where one is, said aloud, too: the rows themselves are too many to be read out. */
export function HexFoot({ cursor, sizeBytes, selected, mark, isReading, said, onCopy }: HexFootProps) {
  const isLate = useLate(isReading);
  const start = selected?.start ?? cursor;
  return (
    <div className={classNames(layout.row8, layout.bottom, styles.foot)} data-figures>
      <span role="status" className={classNames(layout.flex8, styles.place)}>
        <code>{shortOffset(start)}</code>{' '}
        {selected === null ? (
          mark !== null && <InMark mark={mark} />
        ) : (
          <span>{text.selected(shortOffset(selected.end - 1), selected.end - selected.start)}</span>
        )}
      </span>
      <span className={layout.grow} />
      <span role="status">{isLate ? text.reading : said}</span>
      <Button look="inline" onPress={() => onCopy('hex')}>
        {text.copyHex}
      </Button>
      <Button look="inline" onPress={() => onCopy('text')}>
        {text.copyText}
      </Button>
      <span>{text.share(((start / sizeBytes) * 100).toFixed(1))}</span>
    </div>
  );
}

function InMark({ mark }: { mark: HexMark }) {
  const { length, label } = text.inMark(Math.max(1, mark.length), visibleText(mark.label));
  return (
    <span>
      {length} <bdi className={classNames(typography.accent, typography.mono)}>{label}</bdi>
    </span>
  );
}
