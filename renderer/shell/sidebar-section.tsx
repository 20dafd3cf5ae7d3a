import { type ReactNode, useId } from 'react';
import styles from './sidebar-section.module.css';

export interface RailSectionProps {
  title: string;
  /** Above the lines. */
  told?: ReactNode;
  /** List items. */
  children: ReactNode;
}

/** Lines of the rail under a heading. */
export function RailSection({ title, told, children }: RailSectionProps) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {title}
      </h2>
      {told}
      <ul>{children}</ul>
    </section>
  );
}
