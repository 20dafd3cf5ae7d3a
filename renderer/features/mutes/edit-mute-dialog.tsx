import { useState } from 'react';
import type { Mute } from '../../../shared/domain/mute.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { TextField } from '../../components/text-field.tsx';
import { useToldAction } from '../../state/reported-action.ts';
import { MuteEndFields } from './mute-end-fields.tsx';
import { expiryOf, type MuteEnd } from './mute-end.ts';
import { MuteForm } from './mute-form.tsx';
import { text } from './text.ts';

/** What a mute is for and when it ends. Its rule and its sample are what it is. */
export function EditMuteDialog({ mute, onClose }: { mute: Mute; onClose(): void }) {
  const change = useToldAction('mutes.change', {
    lost: (why) => text.notChanged(visibleText(mute.rule), why),
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
