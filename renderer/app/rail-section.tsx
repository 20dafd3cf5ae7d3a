import { type ReactNode, useId } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './rail-section.module.css';

export interface RailSectionProps {
  title: string;
  /** Takes what room is left, else what its lines need. */
  fills?: boolean;
  /** Above the lines. */
  told?: ReactNode;
  /** List items. */
  children: ReactNode;
}

/** Lines of the rail under a heading, scrolled where there are too many. */
export function RailSection({ title, fills = false, told, children }: RailSectionProps) {
  const heading = useId();
  return (
    <section className={classNames(styles.section, fills && styles.fills)} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>{title}</h2>
      {told}
      <ul className={styles.list}>{children}</ul>
    </section>
  );
}
