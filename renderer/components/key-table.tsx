import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { KeyCap } from './key-cap.tsx';
import styles from './key-table.module.css';

export interface KeyRow {
  keys: string;
  does: string;
}

/** The keys of one place. */
export interface KeyRows {
  title: string;
  rows: readonly KeyRow[];
}

export function KeyTable({ title, rows }: KeyRows) {
  return (
    <section className={styles.section}>
      <h3 className={classNames(typography.caption, styles.heading)}>{title}</h3>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={does} className={classNames(layout.row, styles.row)}>
            <dt>{does}</dt>
            <dd className={styles.key}>
              <span className={aloud.only}>{keys}</span>
              <KeyCap>{keys}</KeyCap>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
