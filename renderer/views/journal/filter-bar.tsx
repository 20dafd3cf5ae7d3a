import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { journalOperation } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { JournalSearch } from '../../app/journal/journal-place.tsx';
import { text as sampleText } from '../../app/sample/text.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { FindField } from '../../components/find-field.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import styles from './journal.module.css';
import { text } from './text.ts';
import { readBound } from '../../../shared/domain/time-bound.ts';

const longestWorkspace = 32;
const everyWorkspace = 'every';
const operationChoices = journalOperation.options.map((id) => ({ id, text: sampleText.attempted[id] }));

export interface FilterBarProps {
  search: JournalSearch;
  onChange(change: Partial<JournalSearch>): void;
  /** On to the list. */
  onDown(): void;
}

/** Which rows are meant. */
export function FilterBar({ search, onChange, onDown }: FilterBarProps) {
  const [one, ...others] = search.operations;
  const shown = one === undefined ? text.allOperations : others.length > 0 ? text.someOperations(search.operations.length) : sampleText.attempted[one];
  return (
    <div className={styles.filters}>
      <FindField label={text.find} value={search.find} onChange={(find) => onChange({ find })} onDown={onDown} />
      <ChoiceMenu
        label={text.operations}
        of="several"
        choices={operationChoices}
        chosen={search.operations}
        onChange={(chosen) => onChange({ operations: journalOperation.options.filter((operation) => chosen.includes(operation)) })}
        trigger={<Button>{shown}<ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /></Button>}
      />
      <WorkspaceChoice chosen={search.workspaceId} onChange={(workspaceId) => onChange({ workspaceId })} />
      <TimeField label={text.fromLabel} words={text.from} value={search.from} onChange={(from) => onChange({ from })} />
      <TimeField label={text.beforeLabel} words={text.before} value={search.before} onChange={(before) => onChange({ before })} />
    </div>
  );
}

function WorkspaceChoice({ chosen, onChange }: { chosen: string | null; onChange(id: string | null): void }) {
  const { workspaces } = useWorkspaces();
  const choices = [{ id: everyWorkspace, text: text.allWorkspaces }, ...workspaces.map(({ id, name }) => ({ id, text: visibleText(cutMiddle(name, longestWorkspace)) }))];
  const shown = choices.find(({ id }) => id === chosen)?.text ?? text.allWorkspaces;
  return (
    <ChoiceMenu
      label={text.workspaces}
      of="one"
      choices={choices}
      chosen={[chosen ?? everyWorkspace]}
      onChange={([id]) => onChange(id === undefined || id === everyWorkspace ? null : id)}
      trigger={<Button><bdi className={styles.cut}>{shown}</bdi><ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /></Button>}
    />
  );
}

function TimeField({ label, words, value, onChange }: { label: string; words: string; value: string; onChange(value: string): void }) {
  const problem = useId();
  const isWrong = readBound(value) === undefined;
  return (
    <label className={styles.time}>
      <span aria-hidden="true">{words}</span>
      <input
        type="text"
        className={styles.timeField}
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? problem : undefined}
        placeholder={text.timeHint}
        maxLength={24}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          onChange('');
          event.preventDefault();
        }}
      />
      {isWrong && <span id={problem} className={styles.problem} role="status">{text.notATime}</span>}
    </label>
  );
}
