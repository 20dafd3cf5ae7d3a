import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { focusDrawn } from '../../keyboard/focus.ts';
import { type SoughtSetting, useNavigation } from '../../state/navigation.tsx';
import type { SettingPlace } from '../../state/settings-index.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';

/** Each request leads to its setting once: a section that is opened again begins at its top. */
const reached = new WeakSet<SoughtSetting>();

/** Its first field that is chosen, else its first field or button. */
const target = ['input:checked:not(:disabled)', ':is(input, textarea, button):not(:disabled)'];

/** A setting that the search and the palette lead to: it is scrolled into view, and its field gets the focus. */
export function Setting({ place, children }: { place: SettingPlace; children: ReactNode }) {
  const { soughtSetting: sought } = useNavigation();
  const here = useRef<HTMLDivElement>(null);
  // After the first field of a form, which takes the focus when it appears.
  useEffect(() => {
    if (here.current === null || sought?.place !== place || reached.has(sought)) return;
    reached.add(sought);
    const field = target.map((each) => here.current?.querySelector<HTMLElement>(each)).find((each) => each !== null);
    focusDrawn(field ?? here.current, { preventScroll: true });
    // A fold that has just opened has its place with the next frame.
    requestAnimationFrame(() => here.current?.scrollIntoView({ block: 'center' }));
  }, [place, sought]);
  return (
    <div ref={here} tabIndex={-1} className={classNames(layout.stack8, styles.setting)}>
      {children}
    </div>
  );
}

interface FoldProps {
  title: string;
  /** What is in it, in a few words. */
  summary: string;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
  children: ReactNode;
}

/** What few people need, behind its name. */
export function Fold({ title, summary, isOpen, onToggle, children }: FoldProps) {
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
      aria-label={title}
    >
      <summary>
        <ChevronRight size={14} strokeWidth={1.6} aria-hidden="true" />
        <span className={styles.groupTitle}>{title}</span>
        <span className={typography.hint}>{summary}</span>
      </summary>
      {children}
    </details>
  );
}

interface AdvancedProps {
  /** The settings in it: one that is looked for opens it. */
  places: readonly SettingPlace[];
  summary: string;
  /** One of them cannot be saved. */
  hasProblem?: boolean;
  children: ReactNode;
}

/** The rarely used settings of a section. */
export function Advanced({ places, summary, hasProblem = false, children }: AdvancedProps) {
  const { soughtSetting: sought } = useNavigation();
  const isSought = sought !== null && places.includes(sought.place);
  const [isOpen, setOpen] = useState(isSought);
  const [opened, setOpened] = useState(sought);
  // Once a request: it can be closed again.
  if (opened !== sought) {
    setOpened(sought);
    if (isSought) setOpen(true);
  }
  return (
    <Fold title={text.advanced} summary={summary} isOpen={isOpen || hasProblem} onToggle={setOpen}>
      <div className={classNames(layout.stack16, styles.foldFields)}>{children}</div>
    </Fold>
  );
}
