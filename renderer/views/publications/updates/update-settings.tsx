import { type SubmitEvent, useId, useState } from 'react';
import type { PublicationsState, RuleOptions } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { PackagePassword } from './package-password.tsx';
import { fieldsOf, passwordOf, readFields, type SettingsFields } from './settings-fields.ts';
import { text } from './text.ts';
import styles from './dialogs.module.css';
import { useSavedOptions } from './use-saved-options.ts';

const policies: readonly { value: RuleOptions['policy']; text: string }[] = [
  { value: 'one-click', text: text.policies['one-click'] },
  { value: 'refuse-broken', text: text.policies['refuse-broken'] },
  { value: 'install-whole', text: text.policies['install-whole'] },
];

/** What the workspace does about packages. */
export function UpdateSettings({ state, onClose }: { state: PublicationsState; onClose(): void }) {
  const [fields, setFields] = useState(() => fieldsOf(state.options, state.hasPassword));
  const { change, isSaving, failure } = useSavedOptions();
  const toast = useToast();
  const form = useId();
  const read = readFields(fields);
  const set = (changed: Partial<SettingsFields>): void => setFields((before) => ({ ...before, ...changed }));
  const saved = (): void => {
    toast({ meaning: 'ok', text: text.saved });
    onClose();
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (read.ok) change(read.options, { password: passwordOf(fields), onSaved: saved });
  };
  return (
    <Dialog
      title={text.settingsTitle}
      isOpen
      onClose={onClose}
      wide
      actions={<><Button onPress={onClose}>{text.notNow}</Button><Button look="primary" type="submit" form={form} isDisabled={!read.ok || isSaving}>{text.save}</Button></>}
    >
      <form id={form} className={styles.form} noValidate onSubmit={save}>
        <RadioChoice label={text.policy} value={fields.policy} options={policies} onChange={(policy) => set({ policy })} />
        <Numbers fields={fields} onChange={set} />
        <div>
          <Checkbox isSelected={fields.includeTest} onChange={(includeTest) => set({ includeTest })}>{text.includeTest}</Checkbox>
          <Checkbox isSelected={fields.publicLink} onChange={(publicLink) => set({ publicLink })}>{text.publicLink} <span className={styles.hint}>{text.publicLinkHint}</span></Checkbox>
          <Checkbox isSelected={fields.encrypted} onChange={(encrypted) => set({ encrypted })}>{text.encrypted} <span className={styles.hint}>{text.encryptedHint}</span></Checkbox>
        </div>
        <PackagePassword password={fields.password} hasStored={state.hasPassword} onChange={(password) => set({ password })} />
        {fields.mapping !== null && <div><Button size="small" onPress={() => set({ mapping: null })}>{text.forgetMapping}</Button></div>}
      </form>
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/** What is typed, and what is wrong with it. */
function Numbers({ fields, onChange }: { fields: SettingsFields; onChange(changed: Partial<SettingsFields>): void }) {
  const read = readFields(fields);
  const problems = read.ok ? {} : read.problems;
  return (
    <div className={styles.fields}>
      <TextField label={text.checkHours} value={fields.checkHours} onChange={(checkHours) => onChange({ checkHours })} hint={text.checkHoursHint} problem={problems.checkHours ?? null} inputMode="numeric" autoComplete="off" />
      <TextField label={text.keepCount} value={fields.keep} onChange={(keep) => onChange({ keep })} hint={text.keepHint} problem={problems.keep ?? null} inputMode="numeric" autoComplete="off" />
      <TextField label={text.versionWhenNone} value={fields.versionWhenNone} onChange={(versionWhenNone) => onChange({ versionWhenNone })} hint={text.versionWhenNoneHint} problem={problems.versionWhenNone ?? null} maxLength={64} autoComplete="off" mono />
    </div>
  );
}
