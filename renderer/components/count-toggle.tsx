import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import styles from './count-toggle.module.css';
import { formatNumber } from './format.ts';

interface CountToggleProps {
  count: number;
  /** What is counted. */
  words: string;
  /** Shown before the count. */
  mark?: ReactNode;
  isSelected: boolean;
  onChange(): void;
}

/** A count that is the filter for what it counts. */
export function CountToggle({ count, words, mark, isSelected, onChange }: CountToggleProps) {
  return (
    <ToggleButton
      isSelected={isSelected}
      onChange={onChange}
      className={classNames(layout.inline4, typography.smallNote, surface.toggle, styles.count)}
    >
      {mark}
      <strong title={words}>{formatNumber(count)}</strong> <span data-words>{words}</span>
    </ToggleButton>
  );
}
