import styles from './key-cap.module.css';

/** A key drawn beside what it does. Hidden from screen readers: `aria-keyshortcuts` says it there. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className={styles.key} aria-hidden="true">
      {children}
    </kbd>
  );
}
