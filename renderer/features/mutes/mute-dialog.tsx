import { useState } from 'react';
import { sha256 } from '../../../shared/domain/hash.ts';
import type { MuteDraft } from '../../../shared/domain/mute.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToldAction } from '../../state/reported-action.ts';
import { MuteEndFields } from './mute-end-fields.tsx';
import { expiryOf, type MuteEnd } from './mute-end.ts';
import { MuteForm } from './mute-form.tsx';
import { text } from './text.ts';
import { useMuteNews } from './use-mute-news.ts';

type Scope = 'every' | 'one';
const scopesOf = (sample: string | null): { value: Scope; text: string }[] => [
  { value: 'every', text: text.inEvery },
  { value: 'one', text: sample === null ? text.inOne : text.inThis },
];

export interface MuteDialogProps {
  workspaceId: string;
  rule: string;
  /** The SHA-256 of the sample one looks at; null: none, it is asked for. */
  sample?: string | null;
  onClose(): void;
}

/** Mutes a rule in every sample or in one. */
export function MuteDialog({ workspaceId, rule, sample: shown = null, onClose }: MuteDialogProps) {
  const { tellMuted } = useMuteNews();
  const add = useToldAction('mutes.add', {
    tell: tellMuted,
    lost: (why) => text.notMuted(visibleText(rule), why),
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
