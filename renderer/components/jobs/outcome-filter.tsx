import { Toolbar } from 'react-aria-components/Toolbar';
import { type ItemState, itemStates, type Job, type JobKind } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { CountToggle } from '../count-toggle.tsx';
import styles from './jobs.module.css';
import { countedWords } from './outcome-words.ts';
import { text } from './text.ts';

export interface OutcomeFilterProps {
  kind: JobKind;
  counts: Job['counts'];
  items: number;
  /** The states that are shown; empty: all. */
  chosen: readonly ItemState[];
  onChange(states: ItemState[]): void;
}

/** The counts are the filter, what went wrong first. One tab stop; the arrows go from one to the next. */
export function OutcomeFilter({ kind, counts, items, chosen, onChange }: OutcomeFilterProps) {
  const offered = itemStates.filter((state) => counts[state] > 0 || chosen.includes(state));
  const toggle = (state: ItemState): void =>
    onChange(itemStates.filter((each) => chosen.includes(each) !== (each === state)));
  return (
    <Toolbar aria-label={text.filter} className={classNames(layout.wrap4, styles.filter)}>
      <CountToggle count={items} words={text.all} isSelected={chosen.length === 0} onChange={() => onChange([])} />
      {offered.map((state) => (
        <CountToggle
          key={state}
          count={counts[state]}
          words={countedWords(state, counts[state], kind)}
          mark={<span className={classNames(styles.square, styles[`fill-${state}`])} aria-hidden="true" />}
          isSelected={chosen.includes(state)}
          onChange={() => toggle(state)}
        />
      ))}
    </Toolbar>
  );
}
