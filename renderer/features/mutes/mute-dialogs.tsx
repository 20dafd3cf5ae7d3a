import { type ReactNode, useState } from 'react';
import { sha256 } from '../../../shared/domain/hash.ts';
import type { AddedMute, Mute, MuteDraft, MuteStep } from '../../../shared/domain/mute.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, formatMinute } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './mute-form.module.css';
import { text } from './strings.ts';

type Scope = 'every' | 'one';
const scopesOf = (sample: string | null): { value: Scope; text: string }[] => [
  { value: 'every', text: text.inEvery },
  { value: 'one', text: sample === null ? text.inOne : text.inThis },
];

interface MuteDialogProps {
  workspaceId: string;
  rule: string;
  /** The SHA-256 of the sample one looks at; null: none, it is asked for. */
  sample?: string | null;
  onClose(): void;
}

/** Mutes a rule in every sample or in one. */
export function MuteDialog({ workspaceId, rule, sample: shown = null, onClose }: MuteDialogProps) {
  const { reportMuted } = useMuteNews();
  const add = useReportedAction('mutes.add', {
    report: reportMuted,
    failureText: (why) => text.notMuted(visibleText(rule), why),
    onClose,
  });
  const form = useMuteFields(shown);
  const { scope, sample, reason, end, problems } = form;
  const { data: known } = useOperation('mutes.list', { workspaceId });
  const before = known?.mutes.find((mute) => mute.rule === rule && mute.sample === form.where && !mute.hasExpired);
  const mute = (): void => {
    const fields = form.read();
    if (fields !== null) add.mutate({ workspaceId, rule, ...fields });
  };
  return (
    <MuteForm
      title={text.addTitle(visibleText(rule))}
      verb={text.add}
      isPending={add.isPending}
      failure={add.error}
      onSubmit={mute}
      onClose={onClose}
    >
      <RadioChoice
        label={text.where}
        value={scope}
        options={scopesOf(shown)}
        onChange={(next) => form.setScope(next)}
      />
      {scope === 'one' && shown === null && (
        <TextField
          label={text.sha256}
          value={sample}
          onChange={form.setSample}
          problem={problems.sample}
          maxLength={80}
          autoComplete="off"
          mono
        />
      )}
      <TextField
        label={text.reason}
        value={reason}
        onChange={form.setReason}
        hint={text.reasonHint}
        problem={problems.reason}
        maxLength={500}
        autoComplete="off"
        takesFocus
      />
      {before !== undefined && (
        <Notice meaning="info" size="small" title={text.already(visibleText(before.reason))}>
          {text.alreadyThen}
        </Notice>
      )}
      <MuteEndFields end={end} onChange={form.setEnd} kept={null} problem={problems.date} />
    </MuteForm>
  );
}

type MuteFields = Pick<MuteDraft, 'sample' | 'reason' | 'expires'>;

/** The fields of a new mute. Problems are shown from the first attempt on. */
function useMuteFields(shown: string | null) {
  const [scope, setScope] = useState<Scope>('every');
  const [sample, setSample] = useState(shown ?? '');
  const [reason, setReason] = useState('');
  const [end, setEnd] = useState<MuteEnd>({ term: 'never', date: '' });
  const [now] = useState(() => new Date());
  const [isTried, setTried] = useState(false);
  const expires = expiryOf(end, now, null);
  const hash = sha256.safeParse(sample.trim().toLowerCase());
  const isWrong = {
    sample: scope === 'one' && !hash.success,
    reason: reason.trim() === '',
    date: expires === undefined,
  };
  /** @returns null where something is wrong */
  const read = (): MuteFields | null => {
    setTried(true);
    if (isWrong.sample || isWrong.reason || expires === undefined) return null;
    return { sample: scope === 'one' && hash.success ? hash.data : null, reason: reason.trim(), expires };
  };
  const problems = {
    sample: isTried && isWrong.sample ? text.sha256Problem : null,
    reason: isTried && isWrong.reason ? text.reasonProblem : null,
    date: isTried && isWrong.date ? text.dateProblem : null,
  };
  const where = scope === 'every' ? null : hash.data;
  return { scope, setScope, sample, setSample, reason, setReason, end, setEnd, where, problems, read };
}

/** What a mute is for and when it ends. Its rule and its sample are what it is. */
export function EditMuteDialog({ mute, onClose }: { mute: Mute; onClose(): void }) {
  const change = useReportedAction('mutes.change', {
    failureText: (why) => text.notChanged(visibleText(mute.rule), why),
    onClose,
  });
  const [reason, setReason] = useState(mute.reason);
  const [end, setEnd] = useState<MuteEnd>({ term: mute.expires === null ? 'never' : 'kept', date: '' });
  const [now] = useState(() => new Date());
  const [isTried, setTried] = useState(false);
  const expires = expiryOf(end, now, mute.expires);
  const save = (): void => {
    setTried(true);
    if (reason.trim() === '' || expires === undefined) return;
    change.mutate({ id: mute.id, change: { reason: reason.trim(), expires } });
  };
  return (
    <MuteForm
      title={text.editTitle(visibleText(mute.rule))}
      verb={text.save}
      isPending={change.isPending}
      failure={change.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={text.reason}
        value={reason}
        onChange={setReason}
        hint={text.reasonHint}
        problem={isTried && reason.trim() === '' ? text.reasonProblem : null}
        maxLength={500}
        autoComplete="off"
        takesFocus
      />
      <MuteEndFields
        end={end}
        onChange={setEnd}
        kept={mute.expires}
        problem={isTried && expires === undefined ? text.dateProblem : null}
      />
    </MuteForm>
  );
}

interface MuteEndFieldsProps {
  end: MuteEnd;
  onChange(end: MuteEnd): void;
  /** The end that the mute has; null: none to keep. */
  kept: string | null;
  problem: string | null;
}

function MuteEndFields({ end, onChange, kept, problem }: MuteEndFieldsProps) {
  const options: { value: MuteTerm; text: string }[] = muteTerms.map((value) => ({ value, text: text.terms[value] }));
  if (kept !== null) options.unshift({ value: 'kept', text: text.terms.kept(formatMinute(new Date(kept))) });
  return (
    <>
      <RadioChoice
        label={text.end}
        value={end.term}
        options={options}
        onChange={(term) => onChange({ ...end, term })}
      />
      {end.term === 'date' && (
        <TextField
          label={text.date}
          placeholder={text.datePlaceholder}
          mono
          maxLength={10}
          autoComplete="off"
          value={end.date}
          onChange={(date) => onChange({ ...end, date })}
          problem={problem}
        />
      )}
    </>
  );
}

/** When a mute ends, as a person chooses it. `kept`: as it was before it is edited. */
const muteTerms = ['never', '7', '30', '90', 'date'] as const;
type MuteTerm = 'kept' | (typeof muteTerms)[number];

interface MuteEnd {
  term: MuteTerm;
  /** Of the term `date`: `YYYY-MM-DD`, the last day. */
  date: string;
}

const dayMs = 86_400_000;
const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The end of the mute, as UTC in ISO 8601; null: until unmuted. undefined if the date is invalid or past. `kept` means
 * `before`.
 */
export function expiryOf({ term, date }: MuteEnd, now: Date, before: string | null): string | null | undefined {
  if (term === 'kept') return before;
  if (term === 'never') return null;
  if (term !== 'date') return new Date(now.getTime() + Number(term) * dayMs).toISOString();
  const last = new Date(`${date.trim()}T23:59:59.000Z`);
  return day.test(date.trim()) && last.getTime() > now.getTime() ? last.toISOString() : undefined;
}

interface MuteFormProps {
  title: string;
  /** On the button that does it. */
  verb: string;
  isPending: boolean;
  failure: Failure | null;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** The dialog around the fields of a mute. Enter in a field does it. */
function MuteForm({ title, verb, isPending, failure, onSubmit, onClose, children }: MuteFormProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className={layout.stack12}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {failure !== null && <FailureNotice failure={failure} />}
        <div className={classNames(layout.flex8, styles.formActions)}>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const longestName = 40;
const shortName = (rule: string): string => visibleText(cutMiddle(rule, longestName));

/** Reports what was muted or unmuted, with Undo. */
export function useMuteNews(): { reportMuted(mute: AddedMute): void; reportUnmuted(mute: Mute): void } {
  const bridge = useBridge();
  const toast = useToast();
  // The view of the action may be gone by then: a failure is shown where the button was.
  const takeBack = async (step: MuteStep): Promise<void> => {
    const result = await bridge.call('mutes.undo', step);
    if (!result.ok)
      toast({ meaning: 'bad', text: text.notUndone(describeFailure(result.failure).what), failure: result.failure });
  };
  const report = (words: string, step: MuteStep): void =>
    toast({ meaning: 'ok', text: words, undo: () => void takeBack(step) });
  return {
    reportMuted: ({ rule, replaces, undo }) =>
      report((replaces ? text.mutedAgain : text.muted)(shortName(rule)), { added: undo }),
    reportUnmuted: ({ id, rule }) => report(text.unmuted(shortName(rule)), { removed: id }),
  };
}
