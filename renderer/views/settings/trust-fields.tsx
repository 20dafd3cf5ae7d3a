import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';
import type { FieldProblems, WorkspaceFields } from './workspace-fields.ts';

const trusts = [
  { value: 'system', text: text.trusts.system },
  { value: 'authority', text: text.trusts.authority },
  { value: 'pin', text: text.trusts.pin },
] as const;

export interface FieldGroupProps {
  fields: WorkspaceFields;
  problems: FieldProblems;
  onChange(changed: Partial<WorkspaceFields>): void;
}

/** There is no "ignore": a server is trusted in one of three ways, or not at all. */
export function TrustFields({ fields, problems, onChange }: FieldGroupProps) {
  return (
    <div className={classNames(layout.stack8, styles.group)}>
      <RadioChoice label={text.trust} value={fields.trust} options={trusts} onChange={(trust) => onChange({ trust })} />
      {fields.trust === 'authority' && (
        <TextField
          label={text.pem}
          value={fields.pem}
          onChange={(pem) => onChange({ pem })}
          problem={problems.pem ?? null}
          rows={6}
          mono
        />
      )}
      {fields.trust === 'pin' && (
        <TextField
          label={text.fingerprint}
          value={fields.fingerprint}
          onChange={(fingerprint) => onChange({ fingerprint })}
          hint={text.fingerprintHint}
          problem={problems.fingerprint ?? null}
          mono
        />
      )}
    </div>
  );
}
