import type { ReactNode } from 'react';
import styles from './part-head.module.css';
import parts from './parts.module.css';

export interface PartHeadProps {
  id: string;
  title: string;
  aside?: ReactNode;
  /** At the end of the line: what can be done. */
  action?: ReactNode;
}

export function PartHead({ id, title, aside, action }: PartHeadProps) {
  return (
    <div className={styles.partHead}>
      <h3 id={id}>{title}</h3>
      {aside !== undefined && <span className={parts.aside}>{aside}</span>}
      {action}
    </div>
  );
}
