import type { TlpLevel } from '../../shared/domain/tag.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './tlp-label.module.css';

/** The label as FIRST draws it: coloured text on black, the same in both themes. */
export function TlpLabel({ level }: { level: TlpLevel }) {
  const colour = level === 'amber+strict' ? styles.amber : styles[level];
  return <span className={classNames(styles.label, colour)}>TLP:{level.toUpperCase()}</span>;
}
