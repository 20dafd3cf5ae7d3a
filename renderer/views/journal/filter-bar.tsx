import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { readBound } from '../../../shared/domain/clock.ts';
import { journalOperation } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { FindField } from '../../components/find-field.tsx';
import { cutMiddle } from '../../components/format.ts';
import type { JournalSearch } from '../../features/journal/journal-place.tsx';
import { text as sampleText } from '../../features/sample/strings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './journal.module.css';
import { text } from './strings.ts';

const longestWorkspace = 32;
const everyWorkspace = 'every';
const operationChoices = journalOperation.options.map((id) => ({ id, text: sampleText.attempted[id] }));

interface FilterBarProps {
  search: JournalSearch;
  onChange(change: Partial<JournalSearch>): void;
  /** On to the list. */
  onDown(): void;
}

/** Which rows are meant. */
export function FilterBar({ search, onChange, onDown }: FilterBarProps) {
  const [one, ...others] = search.operations;
  const shown =
    one === undefined
      ? text.allOperations
      : others.length > 0
        ? text.someOperations(search.operations.length)
        : sampleText.attempted[one];
  return (
    <div className={classNames(layout.wrapRow8, layout.top, styles.filters)}>
      <FindField label={text.find} value={search.find} onChange={(find) => onChange({ find })} onDown={onDown} />
      <ChoiceMenu
        label={text.operations}
        of="several"
        choices={operationChoices}
        chosen={search.operations}
        onChange={(chosen) =>
          onChange({ operations: journalOperation.options.filter((operation) => chosen.includes(operation)) })
        }
        trigger={
          <Button>
            {shown}
            <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
          </Button>
        }
      />
      <WorkspaceChoice chosen={search.workspaceId} onChange={(workspaceId) => onChange({ workspaceId })} />
      <div className={classNames(layout.flex8, layout.relative)}>
        <TimeField
          label={text.fromLabel}
          words={text.from}
          value={search.from}
          problem={isNoTime(search.from) ? text.notATime : null}
          onChange={(from) => onChange({ from })}
        />
        <TimeField
          label={text.beforeLabel}
          words={text.before}
          value={search.before}
          problem={problemOfEnd(search)}
          onChange={(before) => onChange({ before })}
        />
      </div>
    </div>
  );
}

function WorkspaceChoice({ chosen, onChange }: { chosen: string | null; onChange(id: string | null): void }) {
  const choices = useWorkspaceChoices(chosen);
  const shown = choices.find(({ id }) => id === chosen)?.text ?? text.allWorkspaces;
  return (
    <ChoiceMenu
      label={text.workspaces}
      of="one"
      choices={choices}
      chosen={[chosen ?? everyWorkspace]}
      onChange={([id]) => onChange(id === undefined || id === everyWorkspace ? null : id)}
      trigger={
        <Button>
          <bdi className={classNames(typography.cut, styles.cut)}>{shown}</bdi>
          <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
        </Button>
      }
    />
  );
}

/**
 * Those there are, and those that rows are of but are no more, by their last name or else their id; the chosen one in
 * any case.
 */
function useWorkspaceChoices(chosen: string | null): { id: string; text: string }[] {
  const { workspaces } = useWorkspaces();
  const { data } = useOperation('journal.workspaces', {});
  const here = new Set(workspaces.map(({ id }) => id));
  const reported = data?.workspaces ?? [];
  const isReported = chosen === null || reported.some(({ id }) => id === chosen);
  const gone = [...reported, ...(isReported ? [] : [{ id: chosen, name: null }])].filter(({ id }) => !here.has(id));
  return [
    { id: everyWorkspace, text: text.allWorkspaces },
    ...workspaces.map(({ id, name }) => ({ id, text: shortName(name) })),
    ...gone.map(({ id, name }) => ({ id, text: text.removedWorkspace(name === null ? id : shortName(name)) })),
  ];
}

const shortName = (name: string): string => visibleText(cutMiddle(name, longestWorkspace));

const isNoTime = (typed: string): boolean => readBound(typed) === undefined;

function problemOfEnd({ from, before }: JournalSearch): string | null {
  const [begin, end] = [readBound(from), readBound(before)];
  if (end === undefined) return text.notATime;
  return begin && end && end <= begin ? text.beforeFrom : null;
}

interface TimeFieldProps {
  label: string;
  words: string;
  value: string;
  /** null: there is none. */
  problem: string | null;
  onChange(value: string): void;
}

function TimeField({ label, words, value, problem, onChange }: TimeFieldProps) {
  const id = useId();
  const isWrong = problem !== null;
  return (
    <label className={classNames(layout.row6, typography.hint, styles.time)}>
      <span aria-hidden="true">{words}</span>
      <input
        type="text"
        className={classNames(surface.input, styles.timeField)}
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
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
      {isWrong && (
        <span id={id} className={styles.problem} role="status">
          {problem}
        </span>
      )}
    </label>
  );
}
