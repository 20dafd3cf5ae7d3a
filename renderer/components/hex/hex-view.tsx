import { Binary } from 'lucide-react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { EmptyState } from '../empty-state.tsx';
import type { ByteSpan, HexMark } from './hex-mark.ts';
import styles from './hex-view.module.css';
import { OpenBytes } from './open-bytes.tsx';
import { text } from './text.ts';

export interface HexViewProps {
  source: ByteSource;
  sizeBytes: number;
  /** In any order; they may overlap. Keep the array the same while nothing in it changes. */
  marks: readonly HexMark[];
  /** The place in `marks` of the current one; -1: none. When it becomes another one, its bytes are shown. */
  current: number;
  /** Asked for with N, P and the buttons. */
  onCurrent(index: number): void;
  /** Goes there each time `times` is another one. */
  goTo?: { offset: number; times: number } | undefined;
  onCursor?: ((offset: number) => void) | undefined;
  /** The bytes in sight, for a map of the file. */
  onWindow?: ((window: ByteSpan) => void) | undefined;
  /** Whether single letters are switched on: N, P and G. */
  letters?: boolean | undefined;
}

/**
 * The bytes of a file as hexadecimal digits and as text: its head with the search, the rows, and where one is. Fills
 * the flex column it stands in.
 */
export function HexView(props: HexViewProps) {
  if (props.sizeBytes === 0) {
    return (
      <section className={classNames(layout.view, styles.view)} aria-label={text.bytes}>
        <EmptyState icon={<Binary size={20} strokeWidth={1.6} />} title={text.empty} sentence={text.emptySentence} />
      </section>
    );
  }
  // Another file begins anew.
  return <OpenBytes key={JSON.stringify(props.source)} {...props} />;
}
