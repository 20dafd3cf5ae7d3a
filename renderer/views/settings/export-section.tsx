import { useState } from 'react';
import { useSettings } from '../../app/use-settings.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import typography from '../../styles/typography.module.css';
import { text } from './text.ts';
import { useChangedValue } from './use-changed-value.ts';

const encryptions = [
  { value: 'aes-256', text: text.aes },
  { value: 'zipcrypto', text: text.zipcrypto },
] as const;

export function ExportSection() {
  const { values, change, isKnown } = useSettings();
  return (
    <>
      <p className={typography.sentence}>{text.exportSentence}</p>
      <RadioChoice
        label={text.encryption}
        value={values.exportEncryption}
        options={encryptions}
        onChange={(exportEncryption) => change({ exportEncryption })}
      />
      {isKnown && (
        <PasswordField stored={values.exportPassword} onSave={(exportPassword) => change({ exportPassword })} />
      )}
    </>
  );
}

/** Saved when the field is left, as long as it is a password. */
function PasswordField({ stored, onSave }: { stored: string; onSave(password: string): void }) {
  const [typed, setTyped] = useState(stored);
  const saveChanged = useChangedValue(stored, onSave);
  const save = (): void => {
    if (typed !== '') saveChanged(typed);
  };
  return (
    <TextField
      label={text.password}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onEnter={save}
      hint={text.passwordHint}
      problem={typed === '' ? text.passwordProblem : null}
      maxLength={128}
      autoComplete="off"
      mono
    />
  );
}
