import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { cursorValues, useBytePages } from './byte-pages.ts';
import styles from './cursor-facts.module.css';
import { text } from './strings.ts';

interface CursorFactsProps {
  source: ByteSource;
  sizeBytes: number;
  /** Of the cursor, in bytes. */
  offset: number;
}

const widest = 4;
const names = ['u8', 'u16', 'u32', 'i32', 'float', 'text'] as const;

/** The bytes from the cursor on as numbers and as text. Without a heading. */
export function CursorFacts({ source, sizeBytes, offset }: CursorFactsProps) {
  const bytes = useBytePages(source, sizeBytes, { start: offset, end: offset + widest }).bytesAt(offset, widest);
  const values = bytes && cursorValues(bytes);
  return (
    <div className={styles.facts} data-figures>
      <dl>
        {names.map((name) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{values === null ? '' : (values[name] ?? text.cutOff)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.order}>{text.littleEndian}</p>
    </div>
  );
}
