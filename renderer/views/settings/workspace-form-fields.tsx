import { useId } from 'react';
import { longestAuthorityBytes, type RepositoryOptions, type WorkspaceView } from '../../../shared/domain/workspace.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';
import { type FieldProblems, movesHost, type ServiceFields, type WorkspaceFields } from './workspace-fields.ts';
import { PemField, SecretInput } from './workspace-inputs.tsx';
import type { SecretField } from './workspace-network.ts';

const forms = [
  { value: 'auto', text: text.commentForms.auto },
  { value: 'json', text: text.commentForms.json },
  { value: 'brackets', text: text.commentForms.brackets },
] as const;

interface DialectFieldsProps extends FieldGroupProps {
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
      <Option
        label={text.optionalActions}
        hint={text.optionalActionsHint}
        isOn={options.optionalActions}
        onChange={(optionalActions) => change({ optionalActions })}
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

interface ServiceFieldsetProps {
  title: string;
  fields: ServiceFields;
  stored: WorkspaceView['repository'];
  problem: string | undefined;
  onChange(fields: ServiceFields): void;
}

export function ServiceFieldset({ title, fields, stored, problem, onChange }: ServiceFieldsetProps) {
  const changeToken = (token: Partial<SecretField>): void =>
    onChange({ ...fields, token: { ...fields.token, ...token } });
  return (
    <fieldset className={classNames(layout.stack8, styles.fieldset)}>
      <legend className={styles.groupTitle}>{title}</legend>
      <TextField
        label={text.address}
        value={fields.baseUrl}
        onChange={(baseUrl) => onChange({ ...fields, baseUrl })}
        hint={text.addressHint}
        problem={problem ?? null}
        type="url"
        maxLength={2048}
        autoComplete="off"
        mono
      />
      {movesHost(stored, fields) && <Notice meaning="warn" title={text.newHost} />}
      <SecretInput label={text.token} words={tokenWords} field={fields.token} maxLength={4096} onChange={changeToken} />
    </fieldset>
  );
}

const tokenWords = {
  stored: text.tokenStored,
  cleared: text.tokenCleared,
  keep: text.keepToken,
  hint: text.tokenHint,
} as const;

export function TimeoutFields({ fields, problems, onChange }: FieldGroupProps) {
  return (
    <fieldset className={classNames(layout.stack8, styles.fieldset)}>
      <legend className={styles.groupTitle}>{text.timeouts}</legend>
      <p className={typography.sentence}>{text.timeoutsHint}</p>
      <div className={classNames(layout.grid12, styles.three)}>
        <TextField
          label={text.connect}
          value={fields.connectSeconds}
          onChange={(connectSeconds) => onChange({ connectSeconds })}
          problem={problems.connectSeconds ?? null}
          inputMode="numeric"
        />
        <TextField
          label={text.firstByte}
          value={fields.firstByteSeconds}
          onChange={(firstByteSeconds) => onChange({ firstByteSeconds })}
          problem={problems.firstByteSeconds ?? null}
          inputMode="numeric"
        />
        <TextField
          label={text.idle}
          value={fields.idleSeconds}
          onChange={(idleSeconds) => onChange({ idleSeconds })}
          problem={problems.idleSeconds ?? null}
          inputMode="numeric"
        />
      </div>
    </fieldset>
  );
}

const trusts = [
  { value: 'system', text: text.trusts.system },
  { value: 'authority', text: text.trusts.authority },
  { value: 'pin', text: text.trusts.pin },
] as const;

interface FieldGroupProps {
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
        <PemField
          label={text.pem}
          value={fields.pem}
          hint={text.pemHint}
          problem={problems.pem}
          mostBytes={longestAuthorityBytes}
          onChange={(pem) => onChange({ pem })}
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
