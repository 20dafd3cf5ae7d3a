import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './notice.module.css';

type NoticeMeaning = 'bad' | 'warn' | 'ok' | 'info';

const icons = { bad: TriangleAlert, warn: TriangleAlert, ok: CircleCheck, info: Info } as const;

interface NoticeProps {
  meaning: NoticeMeaning;
  /** What happened. */
  title: string;
  /** What it means for the person's things. */
  children?: ReactNode;
  actions?: ReactNode;
  /** `small`: where there is little space beside its words. */
  size?: 'normal' | 'small';
  /** Spoken at once when it appears. */
  isAlert?: boolean;
}

/** A word, a shape and a colour, where the thing happened. */
export function Notice({ meaning, title, children, actions, size = 'normal', isAlert = false }: NoticeProps) {
  const Icon = icons[meaning];
  return (
    <div
      className={classNames(styles.notice, styles[meaning], size === 'small' && styles.small)}
      role={isAlert ? 'alert' : 'note'}
    >
      <Icon className={styles.icon} size={16} strokeWidth={1.6} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>
          <bdi dir="ltr">{title}</bdi>
        </p>
        {children !== undefined && <p className={styles.then}>{children}</p>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
