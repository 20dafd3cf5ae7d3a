import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { rowForKey } from '../../../components/data-grid/grid-keys.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { PackageRow } from './package-row.tsx';
import { text } from './text.ts';
import styles from './package-list.module.css';

/** Rows a page key passes. */
const page = 5;

export interface PackageListProps {
  state: PublicationsState;
  chosen: PackageView;
  onChoose(chosen: PackageView): void;
  /** Enter: on to its changes. */
  onOpen(): void;
}

/** The packages that are kept here, newest first. Moving to one shows it; Tab leads to what can be done with it. */
export function PackageList({ state, chosen, onChoose, onOpen }: PackageListProps) {
  const { values } = useSettings();
  const list = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const { packages } = state;
  const at = packages.indexOf(chosen);
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !isRow(event.target)) return;
    if (event.key === 'Enter') onOpen();
    const to = rowForKey(event.key, { row: at, count: packages.length, page, letters: values.singleLetterKeys });
    const next = to === null ? undefined : packages[Math.max(0, to)];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined || next === chosen) return;
    wantsFocus.current = true;
    onChoose(next);
  };
  // Where the focus goes when what had it is gone.
  const onFocus = (event: FocusEvent): void => {
    if (event.target === event.currentTarget)
      list.current?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus();
  };
  return (
    <div
      ref={list}
      role="grid"
      aria-label={text.packages}
      aria-rowcount={packages.length}
      tabIndex={-1}
      className={classNames(layout.scroll, styles.list)}
      data-landing
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {packages.map((each, index) => (
        <PackageRow
          key={each.sha256}
          state={state}
          shown={each}
          index={index}
          isCurrent={each === chosen}
          onChoose={() => onChoose(each)}
        />
      ))}
    </div>
  );
}

const isRow = (target: EventTarget): boolean => target instanceof HTMLElement && target.matches('[data-index]');
