import { type ReactNode, useId } from 'react';
import { Button } from 'react-aria-components/Button';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import styles from './sidebar.module.css';

interface SidebarLineProps {
  /** What is said of it. */
  label: string;
  /** null: there is space for the icon alone. */
  title: ReactNode;
  icon?: ReactNode;
  /** At the end of the line. */
  aside?: ReactNode;
  /** `small`: below a heading. */
  size?: 'normal' | 'small';
  /**
   * As what it is the current one; left out, it is not. The current page gets the focus of what goes from the sidebar.
   */
  current?: 'page' | 'true' | undefined;
  onPress(): void;
}

/** A line of the sidebar that leads somewhere. */
export function SidebarLine({ label, title, icon, aside, size = 'normal', current, onPress }: SidebarLineProps) {
  return (
    <Button
      className={classNames(
        layout.row8,
        surface.bare,
        styles.line,
        size === 'small' && styles.small,
        current !== undefined && styles.current,
      )}
      aria-label={label}
      {...(current === undefined ? {} : { 'aria-current': current, 'data-landing': current === 'page' || undefined })}
      onPress={onPress}
    >
      {icon}
      {/* Words apart, so that what is seen is found in what is said. */}
      {title !== null && <span className={classNames(typography.cut, layout.grow)}>{title}</span>} {aside}
    </Button>
  );
}

/** The state, at the end of a line. */
export const SidebarFigure = ({ children }: { children: ReactNode }) => (
  <span className={styles.figure} data-figures>
    {children}
  </span>
);

interface SidebarSectionProps {
  title: string;
  /** Above the lines. */
  reported?: ReactNode;
  /** List items. */
  children: ReactNode;
}

/** Lines of the sidebar under a heading. */
export function SidebarSection({ title, reported, children }: SidebarSectionProps) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={classNames(typography.caption, styles.heading)}>
        {title}
      </h2>
      {reported}
      <ul>{children}</ul>
    </section>
  );
}
