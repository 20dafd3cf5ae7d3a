import { useId } from 'react';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';
import type { FieldGroupProps } from './trust-fields.tsx';

const forms = [
  { value: 'auto', text: text.commentForms.auto },
  { value: 'json', text: text.commentForms.json },
  { value: 'brackets', text: text.commentForms.brackets },
] as const;

export interface DialectFieldsProps extends FieldGroupProps {
  /** null for a new workspace. */
  stored: RepositoryOptions | null;
}

/** How this repository differs from others of its kind. The defaults suit most. */
export function DialectFields({ fields: { options }, stored, problems, onChange }: DialectFieldsProps) {
  const change = (changed: Partial<RepositoryOptions>): void => onChange({ options: { ...options, ...changed } });
  const name = (changed: Partial<RepositoryOptions['receivers']>): void =>
    change({ receivers: { ...options.receivers, ...changed } });
  return (
    <fieldset className={classNames(layout.stack8, styles.fieldset, styles.dialect)}>
      <legend className={styles.groupTitle}>{text.dialect}</legend>
      <p className={typography.sentence}>{text.dialectHint}</p>
      <Option
        label={text.tokenInForm}
        hint={text.tokenInFormHint}
        isOn={options.tokenInForm}
        onChange={(tokenInForm) => change({ tokenInForm })}
      />
      <Option
        label={text.decodesComments}
        hint={text.decodesCommentsHint}
        isOn={options.decodesComments}
        onChange={(decodesComments) => change({ decodesComments })}
      />
      <RadioChoice
        label={text.commentForm}
        value={options.commentForm}
        options={forms}
        onChange={(commentForm) => change({ commentForm })}
      />
      {stored !== null && stored.commentForm !== 'auto' && (
        <p className={typography.sentence}>{text.foundOut[stored.commentForm]}</p>
      )}
      <div className={layout.beside}>
        <TextField
          label={text.virusTotalName}
          value={options.receivers.virusTotal}
          onChange={(virusTotal) => name({ virusTotal })}
          problem={problems.virusTotal ?? null}
          maxLength={40}
          autoComplete="off"
        />
        <TextField
          label={text.sandboxName}
          value={options.receivers.sandbox}
          onChange={(sandbox) => name({ sandbox })}
          problem={problems.sandbox ?? null}
          maxLength={40}
          autoComplete="off"
        />
      </div>
      <p className={typography.sentence}>{text.receiversHint}</p>
    </fieldset>
  );
}

function Option({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string;
  hint: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}) {
  const id = useId();
  return (
    <div>
      <Checkbox isSelected={isOn} onChange={onChange} aria-describedby={id}>
        {label}
      </Checkbox>
      <p id={id} className={classNames(typography.hint, styles.option)}>
        {hint}
      </p>
    </div>
  );
}
