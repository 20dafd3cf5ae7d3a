import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './small-table.module.css';

interface SmallTableProps {
  children: ReactNode;
  /** What is of its own in this table. */
  className: string | undefined;
}

/** A few rows within a text: all of them are drawn, and none is chosen. */
export function SmallTable({ children, className }: SmallTableProps) {
  return <table className={classNames(styles.table, className)}>{children}</table>;
}
