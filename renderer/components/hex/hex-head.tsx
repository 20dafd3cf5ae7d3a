import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Button } from '../button.tsx';
import styles from './hex-view.module.css';
import { text } from './text.ts';

export interface HexHeadProps {
  /** The field that leads to an offset. */
  goTo: ReactNode;
  marks: number;
  current: number;
  onMark(step: 1 | -1): void;
  isFinding: boolean;
  onFind(): void;
}

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

export function HexHead({ goTo, marks, current, onMark, isFinding, onFind }: HexHeadProps) {
  return (
    <div className={classNames(layout.row8, layout.top, styles.head)}>
      <h2 className={typography.title}>{text.bytes}</h2>
      {goTo}
      <span className={layout.grow} />
      {marks > 0 && (
        <>
          <span className={styles.match} data-figures>
            {current < 0 ? text.matches(marks) : text.matchOf(current + 1, marks)}
          </span>
          <Step label={text.matchBefore} letter="P" onPress={() => onMark(-1)}>
            <ChevronUp {...icon} />
          </Step>
          <Step label={text.nextMatch} letter="N" onPress={() => onMark(1)}>
            <ChevronDown {...icon} />
          </Step>
        </>
      )}
      <span className={styles.small}>
        <Button size="small" aria-label={text.openFind} aria-expanded={isFinding} onPress={onFind}>
          <Search {...icon} />
        </Button>
      </span>
    </div>
  );
}

/** The letter is announced and presses the button from elsewhere in the view; there is no room to show it. */
function Step({
  label,
  letter,
  onPress,
  children,
}: {
  label: string;
  letter: string;
  onPress(): void;
  children: ReactNode;
}) {
  return (
    <span className={styles.small}>
      <Button size="small" aria-label={label} data-letter={letter} onPress={onPress}>
        {children}
      </Button>
    </span>
  );
}
