import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './view-head.module.css';

interface ViewHeadProps {
  title: string;
  /** The title takes the focus that nobody has. */
  isLanding?: boolean;
  /** CSS pixels: in a window narrower than that the line goes below what can be done. */
  wrapsBelow?: 800 | 1300;
  children?: ReactNode;
}

/** Above a view: its title, one line of how things stand, and at the end what can be done. */
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

/** How things stand: takes the room that is left, and is cut at its end. */
export function ViewLine(props: ComponentProps<'p'>) {
  return <p className={classNames(typography.cutNote, layout.grow, styles.line)} data-figures {...props} />;
}
