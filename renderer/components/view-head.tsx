import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './view-head.module.css';

interface ViewHeadProps {
  title: string;
  /** The title takes the focus when no element has it. */
  isLanding?: boolean;
  /** CSS pixels: in a window narrower than that the line goes below what can be done. */
  wrapsBelow?: 800 | 1300;
  children?: ReactNode;
}

/** The head of a view: its title, one line of status, and the actions at the end. */
export function ViewHead({ title, isLanding = false, wrapsBelow, children }: ViewHeadProps) {
  return (
    <header className={classNames(layout.row8, layout.top, styles.head)} data-wraps-below={wrapsBelow} data-pane>
      <h1
        className={classNames(layout.fixed, typography.viewTitle, styles.title)}
        {...(isLanding ? { tabIndex: -1, 'data-landing': true } : {})}
      >
        {title}
      </h1>
      {children}
    </header>
  );
}

/** The status line: takes the space that is left, and is cut at its end. */
export function ViewLine(props: ComponentProps<'p'>) {
  return <p className={classNames(typography.cutNote, layout.grow, styles.line)} data-figures {...props} />;
}
