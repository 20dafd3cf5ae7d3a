import { type ReactNode, useState } from 'react';
import { type DroppedEntry, entriesOf } from '../../features/uploads/dropped-files.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './publications.module.css';

interface DropZoneProps {
  label: string;
  /** Of the section: it has to be positioned. */
  className: string | undefined;
  /** Shown while something is held over it. */
  words: string;
  onDrop(dropped: readonly DroppedEntry[]): void;
  /** It is a pane of its own for the key that goes from pane to pane. */
  isPane?: boolean;
  children: ReactNode;
}

/** Takes what is dropped on it, before the upload does, which has the rest of the window. */
export function DropZone({ label, className, words, onDrop, isPane = false, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
    // What is dropped can be picked by a button as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={classNames(className, isOver && styles.over)}
      aria-label={label}
      {...(isPane ? { 'data-pane': true } : {})}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) && setOver(false)
      }
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(false);
        onDrop(entriesOf(event.dataTransfer));
      }}
    >
      {children}
      {isOver && <p className={classNames(layout.above, styles.dropHere)}>{words}</p>}
    </section>
  );
}
