import { useState } from 'react';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { rememberCaseHabits, rememberedCaseHabits } from '../../memory/case-habits.ts';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.ts';
import { LeaveDialog } from '../export/leave-dialog.tsx';
import { AskForRecords } from '../records/ask-for-records.tsx';
import { type CaseDraft, isAuthor, isTitle, newDraft, optionsOf } from './case-draft.ts';
import { useCases } from './case-export.tsx';
import { CaseFormatField } from './case-format-field.tsx';
import { CaseSamplesField } from './case-samples-field.tsx';
import { CaseTlpField } from './case-tlp-field.tsx';
import styles from './case.module.css';
import { ReadyCases } from './ready-cases.tsx';
import { text } from './strings.ts';
import { useStrictest } from './use-strictest.ts';

export interface AskedCase {
  selection: CaseSelection;
  count: number;
  /** Fit to be one: on one line, of visible characters. */
  title: string;
}

export interface CaseDialogProps extends AskedCase {
  onClose(): void;
}

/** What is known of samples leaves the desk, so it asks: for whom, and how it is marked. */
export function CaseDialog({ selection, count, title, onClose }: CaseDialogProps) {
  const { start, prepare } = useCases(onClose);
  const { data: strictest, error } = useStrictest(selection);
  const { current } = useWorkspaces();
  const [draft, change] = useDraft(count, title);
  const options = optionsOf(draft, strictest);
  return (
    <LeaveDialog
      title={text.title(count)}
      input={options === null ? null : options.map((each) => ({ selection, options: each }))}
      start={start}
      prepare={prepare}
      words={text}
      ready={prepare.data === undefined ? null : <ReadyCases prepared={prepare.data} onClose={onClose} />}
      onClose={onClose}
    >
      <p className={styles.sentence}>{text.sentence}</p>
      <CaseFormatField value={draft.formats} count={count} onChange={(formats) => change({ formats })} />
      <CaseNames draft={draft} onChange={change} />
      <CaseTlpField
        draft={draft}
        strictest={error === null ? strictest : { isKnown: false }}
        onChange={change}
        remedy={current && <AskForRecords selection={selection} workspace={current} />}
      />
      {error && <FailureNotice failure={error} />}
      <CaseParts draft={draft} onChange={change} />
      {draft.formats.includes('misp') && <CaseSamplesField draft={draft} onChange={change} />}
    </LeaveDialog>
  );
}

interface DraftProps {
  draft: CaseDraft;
  onChange(change: Partial<CaseDraft>): void;
}

function CaseNames({ draft, onChange }: DraftProps) {
  return (
    <div className={styles.names}>
      <TextField
        label={text.caseTitle}
        value={draft.title}
        onChange={(title) => onChange({ title })}
        problem={isTitle(draft.title.trim()) ? null : text.titleProblem}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label={text.author}
        value={draft.author}
        onChange={(author) => onChange({ author })}
        hint={text.authorHint}
        problem={isAuthor(draft.author.trim()) ? null : text.authorProblem}
        maxLength={100}
        autoComplete="off"
      />
    </div>
  );
}

const parts = ['hits', 'notes', 'comments'] as const;

function CaseParts({ draft: { include }, onChange }: DraftProps) {
  return (
    <div role="group" aria-label={text.include}>
      <p className={styles.label} aria-hidden="true">
        {text.include}
      </p>
      <div className={styles.parts}>
        {parts.map((part) => (
          <Checkbox
            key={part}
            isSelected={include[part]}
            onChange={(isIn) => onChange({ include: { ...include, [part]: isIn } })}
          >
            {text.parts[part]}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}

function useDraft(count: number, title: string): [CaseDraft, (change: Partial<CaseDraft>) => void] {
  const { values } = useSettings();
  const [draft, setDraft] = useState(() =>
    newDraft({ ...rememberedCaseHabits(), title, password: values.exportPassword }, count),
  );
  const change = (changed: Partial<CaseDraft>): void => {
    const next = { ...draft, ...changed };
    setDraft(next);
    rememberCaseHabits({ formats: next.formats.length > 0 ? [...next.formats] : ['misp'], author: next.author });
  };
  return [draft, change];
}
