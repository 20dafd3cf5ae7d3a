import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button } from './button.tsx';
import styles from './empty-state.module.css';

interface EmptyStateProps {
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

interface NoneFoundProps {
  title: string;
  sentence: string;
  /** The label of the button that shows all again. */
  showAll: string;
  onShowAll(): void;
}

/** Nothing fits what is looked for: the way back is all there is to do. */
export function NoneFound({ title, sentence, showAll, onShowAll }: NoneFoundProps) {
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.6} />}
      title={title}
      sentence={sentence}
      action={<Button onPress={onShowAll}>{showAll}</Button>}
    />
  );
}
