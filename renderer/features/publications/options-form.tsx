import { type SubmitEvent, useState } from 'react';
import type { PublicationsState, RuleOptions } from '../../../shared/domain/publication.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { fieldsOf, type OptionsFields, passwordOf, readFields } from './options-fields.ts';
import styles from './options.module.css';
import { PackagePassword } from './package-password.tsx';
import { text } from './strings.ts';
import { useSavedOptions } from './use-saved-options.ts';

const policies: readonly { value: RuleOptions['policy']; text: string }[] = [
  { value: 'one-click', text: text.policies['one-click'] },
  { value: 'refuse-broken', text: text.policies['refuse-broken'] },
  { value: 'install-whole', text: text.policies['install-whole'] },
];

/** What a workspace does about packages, as it is typed: for the form, and for the buttons that stand outside of it. */
export function useOptionsForm(state: PublicationsState, onSaved: () => void) {
  const [fields, setFields] = useState(() => fieldsOf(state.options, state.hasPassword));
  const { change, isSaving, failure } = useSavedOptions(state.workspaceId, state);
  const toast = useToast();
  const read = readFields(fields);
  const saved = (): void => {
    toast({ meaning: 'ok', text: text.saved });
    onSaved();
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (read.ok) change(read.options, { password: passwordOf(fields), onSaved: saved });
  };
  const set = (changed: Partial<OptionsFields>): void => setFields((before) => ({ ...before, ...changed }));
  return { fields, set, save, failure, hasPassword: state.hasPassword, canBeSaved: read.ok && !isSaving };
}

/** `id`: what a button outside of the form names it by. */
export function OptionsForm({
  id,
  form: { fields, set, save, failure, hasPassword },
}: {
  id: string;
  form: ReturnType<typeof useOptionsForm>;
}) {
  const read = readFields(fields);
  const variablesProblem = read.ok ? null : (read.problems.variables ?? null);
  return (
    <>
      <form id={id} className={styles.form} noValidate onSubmit={save}>
        <RadioChoice
          label={text.policy}
          value={fields.policy}
          options={policies}
          onChange={(policy) => set({ policy })}
        />
        <Numbers fields={fields} onChange={set} />
        <div>
          <Checkbox isSelected={fields.includeTest} onChange={(includeTest) => set({ includeTest })}>
            {text.includeTest}
          </Checkbox>
          <Checkbox isSelected={fields.publicLink} onChange={(publicLink) => set({ publicLink })}>
            {text.publicLink} <span className={styles.hint}>{text.publicLinkHint}</span>
          </Checkbox>
          <Checkbox isSelected={fields.encrypted} onChange={(encrypted) => set({ encrypted })}>
            {text.encrypted} <span className={styles.hint}>{text.encryptedHint}</span>
          </Checkbox>
          <Checkbox isSelected={fields.relaxed} onChange={(relaxed) => set({ relaxed })}>
            {text.relaxed} <span className={styles.hint}>{text.relaxedHint}</span>
          </Checkbox>
        </div>
        <TextField
          label={text.variables}
          value={fields.variables}
          onChange={(variables) => set({ variables })}
          hint={text.variablesHint}
          problem={variablesProblem}
          rows={Math.min(8, Math.max(2, fields.variables.split('\n').length))}
          autoComplete="off"
          mono
        />
        <PackagePassword
          password={fields.password}
          hasStored={hasPassword}
          onChange={(password) => set({ password })}
        />
        {fields.mapping !== null && (
          <div>
            <Button size="small" onPress={() => set({ mapping: null })}>
              {text.forgetMapping}
            </Button>
          </div>
        )}
      </form>
      {failure !== null && <FailureNotice failure={failure} />}
    </>
  );
}

/** What is typed, and what is wrong with it. */
function Numbers({ fields, onChange }: { fields: OptionsFields; onChange(changed: Partial<OptionsFields>): void }) {
  const read = readFields(fields);
  const problems = read.ok ? {} : read.problems;
  return (
    <div className={styles.fields}>
      <TextField
        label={text.checkHours}
        value={fields.checkHours}
        onChange={(checkHours) => onChange({ checkHours })}
        hint={text.checkHoursHint}
        problem={problems.checkHours ?? null}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        label={text.keepCount}
        value={fields.keep}
        onChange={(keep) => onChange({ keep })}
        hint={text.keepHint}
        problem={problems.keep ?? null}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        label={text.versionWhenNone}
        value={fields.versionWhenNone}
        onChange={(versionWhenNone) => onChange({ versionWhenNone })}
        hint={text.versionWhenNoneHint}
        problem={problems.versionWhenNone ?? null}
        maxLength={64}
        autoComplete="off"
        mono
      />
    </div>
  );
}
