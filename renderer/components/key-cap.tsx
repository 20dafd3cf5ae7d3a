import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './key-cap.module.css';
import table from './key-table.module.css';

/** A key drawn beside what it does. Hidden from screen readers: `aria-keyshortcuts` announces it there. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className={styles.key} aria-hidden="true">
      {children}
    </kbd>
  );
}

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
    <section className={table.section}>
      <h3 className={classNames(typography.caption, table.heading)}>{title}</h3>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={does} className={classNames(layout.row, table.row)}>
            <dt>{does}</dt>
            <dd className={table.key}>
              <span className={aloud.only}>{keys}</span>
              <KeyCap>{keys}</KeyCap>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
