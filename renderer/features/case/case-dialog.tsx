import { type ReactNode, useRef, useState } from 'react';
import { type CaseSelection, mostCaseSamples, mostMispSampleMebibytes } from '../../../shared/domain/case.ts';
import { caseFormat, type CaseFormat } from '../../../shared/domain/job.ts';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { rememberCaseHabits, rememberedCaseHabits } from '../../memory/preferences.ts';
import type { AppDialog } from '../../state/app-dialogs.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ExportDialog } from '../export/export-dialog.tsx';
import { LeftOutNotice, useWithoutBytes } from '../export/left-out.tsx';
import { text as exportText } from '../export/strings.ts';
import { AskForRecords } from '../records/records.tsx';
import {
  type CaseDraft,
  isAuthor,
  isLessStrict,
  isTitle,
  isTooMany,
  leastStrict,
  newDraft,
  optionsOf,
} from './case-draft.ts';
import { ReadyCases, useCases } from './case-export.tsx';
import styles from './case.module.css';
import { type Strictest, useStrictest } from './strictest-tlp.ts';
import { text } from './strings.ts';

export interface CaseRequest {
  selection: CaseSelection;
  count: number;
  /** Fit to be one: on one line, of visible characters. */
  title: string;
}

export interface CaseDialogProps extends CaseRequest {
  onClose(): void;
}

/** What is known of samples leaves this computer, so it asks: for whom, and how it is marked. */
export function CaseDialog({ selection, count, title, onClose }: CaseDialogProps) {
  const { start, prepare } = useCases(onClose);
  const { data: strictest, error } = useStrictest(selection);
  const { current } = useWorkspaces();
  const [draft, change] = useDraft(count, title);
  const options = optionsOf(draft, strictest);
  const withoutBytes = useWithoutBytes(draft.withSamples && selection.kind !== 'job' ? selection : null, count);
  return (
    <ExportDialog
      title={text.title(count)}
      input={options === null ? null : options.map((each) => ({ selection, options: each }))}
      start={start}
      prepare={prepare}
      words={text}
      ready={prepare.data === undefined ? null : <ReadyCases prepared={prepare.data} onClose={onClose} />}
      onClose={onClose}
    >
      <p className={typography.sentence}>{text.sentence}</p>
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
      {draft.formats.includes('misp') && draft.withSamples && (
        <LeftOutNotice leftOut={withoutBytes} of={count} words={exportText.withoutFile} />
      )}
    </ExportDialog>
  );
}

interface DraftProps {
  draft: CaseDraft;
  onChange(change: Partial<CaseDraft>): void;
}

function CaseNames({ draft, onChange }: DraftProps) {
  return (
    <div className={layout.beside}>
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
      <p className={typography.label} aria-hidden="true">
        {text.include}
      </p>
      <div className={classNames(layout.wrap, styles.parts)}>
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

interface CaseFormatFieldProps {
  value: readonly CaseFormat[];
  count: number;
  onChange(formats: readonly CaseFormat[]): void;
}

/** Each with its purpose. A format that takes fewer samples states so before it is chosen. */
export function CaseFormatField({ value, count, onChange }: CaseFormatFieldProps) {
  // In the order of the list, whatever was ticked first.
  const change = (format: CaseFormat, isIn: boolean): void =>
    onChange(caseFormat.options.filter((each) => (each === format ? isIn : value.includes(each))));
  return (
    <div role="group" aria-label={text.formatsLabel}>
      <p className={typography.label} aria-hidden="true">
        {text.formatsLabel}
      </p>
      {caseFormat.options.map((format) => {
        const [name, purpose] = text.formats[format];
        const isDisabled = isTooMany(format, count);
        return (
          <Checkbox
            key={format}
            isSelected={value.includes(format)}
            isDisabled={isDisabled}
            onChange={(isIn) => change(format, isIn)}
          >
            {name} <span className={typography.hint}>{isDisabled ? text.tooMany(mostCaseSamples) : purpose}</span>
          </Checkbox>
        );
      })}
      {value.length === 0 && (
        <p className={typography.problem} role="alert">
          {text.formatMissing}
        </p>
      )}
    </div>
  );
}

/** The samples themselves, in an event of MISP: off until it is ticked. */
export function CaseSamplesField({
  draft,
  onChange,
}: {
  draft: CaseDraft;
  onChange(change: Partial<CaseDraft>): void;
}) {
  return (
    <div className={classNames(layout.stack4, styles.samples)}>
      <Checkbox isSelected={draft.withSamples} onChange={(withSamples) => onChange({ withSamples })}>
        {text.withSamples} <span className={typography.hint}>{text.withSamplesHint(mostMispSampleMebibytes)}</span>
      </Checkbox>
      {draft.withSamples && (
        <TextField
          label={text.password}
          value={draft.password}
          onChange={(password) => onChange({ password })}
          hint={text.passwordHint}
          problem={draft.password === '' ? text.passwordMissing : null}
          maxLength={128}
          autoComplete="off"
          mono
        />
      )}
    </div>
  );
}

export interface CaseTlpFieldProps {
  draft: CaseDraft;
  /** undefined until it is known. */
  strictest: Strictest | undefined;
  onChange(change: Partial<CaseDraft>): void;
  /** Besides the mark, where the TLP of samples is not known. */
  remedy: ReactNode;
}

/**
 * Begins with the strictest TLP of the samples, and cannot be less strict; it is the strictest there is until a person
 * vouches for those whose TLP is not known.
 */
export function CaseTlpField({ draft, strictest, onChange, remedy }: CaseTlpFieldProps) {
  const { tlp, vouched } = draft;
  const field = useRef<HTMLDivElement>(null);
  // What is asked for may come, and take its button away.
  useKeptFocus(field);
  const least = leastStrict(draft, strictest);
  const first =
    least === null
      ? [{ value: 'own' as const, text: strictest?.isKnown === true ? text.noTlp : text.asStrict, endsLine: true }]
      : [];
  const levels = tlpLevels.map((level) => ({
    value: level,
    text: <TlpLamp level={level} />,
    isDisabled: isLessStrict(level, least),
  }));
  const chosen = tlp !== null && !isLessStrict(tlp, least) ? tlp : (least ?? 'own');
  // Who vouches chooses the mark then: it does not become milder by that alone.
  const vouch = (isVouched: boolean): void =>
    onChange({ vouched: isVouched, tlp: isVouched && chosen !== 'own' ? chosen : tlp });
  const isDoubtful = strictest !== undefined && (!strictest.isKnown || strictest.unknown > 0);
  return (
    <div ref={field} className={layout.stack4}>
      <div data-landing tabIndex={-1}>
        <RadioChoice
          label={text.tlp}
          value={chosen}
          options={[...first, ...levels]}
          hint={hintOf(draft, strictest)}
          onChange={(level) => onChange({ tlp: level === 'own' ? null : level })}
          isInline
        />
      </div>
      {isDoubtful && remedy}
      {isDoubtful && (
        <Checkbox isSelected={vouched} onChange={vouch}>
          {text.vouch} <span className={typography.hint}>{text.vouchHint}</span>
        </Checkbox>
      )}
    </div>
  );
}

function hintOf({ vouched }: CaseDraft, strictest: Strictest | undefined): string {
  if (strictest === undefined) return text.readingTlp;
  if (!strictest.isKnown) return text.tlpOfMany;
  const { level, unknown } = strictest;
  const said = level === null ? null : text.strictest(level.toUpperCase());
  if (unknown === 0) return said ?? text.tlpNone;
  return [text.tlpUnknown(unknown), vouched ? said : text.tlpUntil].filter((part) => part !== null).join(' ');
}

/** For whom samples are to be written down, once it is known which. */
export const caseAppDialog = (asked: CaseRequest): AppDialog => ({
  draw: (close) => <CaseDialog {...asked} onClose={close} />,
  words: text.caseRead(asked.count),
  verb: text.caseNow,
});
