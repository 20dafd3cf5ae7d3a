import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  /** 20 px. */
  icon: ReactNode;
  title: string;
  sentence: string;
  action?: ReactNode;
}

export function EmptyState({ icon, title, sentence, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.sentence}>{sentence}</p>
      {action}
    </div>
  );
}
