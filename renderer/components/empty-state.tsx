import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
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
    <div className={classNames(layout.stack4, styles.empty)}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <h2 className={typography.heading}>{title}</h2>
      <p className={styles.sentence}>{sentence}</p>
      {action}
    </div>
  );
}
