import { useId } from 'react';
import type { RepositoryOptions, WorkspaceView } from '../../../shared/domain/workspace.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Notice } from '../../components/notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';
import {
  type FieldProblems,
  movesHost,
  type ServiceFields,
  type TokenField,
  type WorkspaceFields,
} from './workspace-fields.ts';

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
  const changeToken = (token: Partial<TokenField>): void =>
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
      <TokenInput token={fields.token} onChange={changeToken} />
    </fieldset>
  );
}

/** Write-only: what is stored never comes to the page, so there is nothing to show but that it is there. */
function TokenInput({ token, onChange }: { token: TokenField; onChange(change: Partial<TokenField>): void }) {
  if (token.intent === 'set') {
    return (
      <div className={classNames(layout.stack4, styles.token)}>
        <TextField
          label={text.token}
          type="password"
          value={token.typed}
          onChange={(typed) => onChange({ typed })}
          hint={text.tokenHint}
          maxLength={4096}
          autoComplete="off"
          mono
        />
        {token.stored && (
          <Button size="small" look="quiet" onPress={() => onChange({ intent: 'keep', typed: '' })}>
            {text.keepToken}
          </Button>
        )}
      </div>
    );
  }
  const isCleared = token.intent === 'clear';
  return (
    <div role="group" aria-label={text.token} className={classNames(layout.wrapRow8, styles.storedToken)}>
      <span>{isCleared ? text.tokenCleared : text.tokenStored}</span>
      <span className={layout.wrap8}>
        <Button size="small" onPress={() => onChange({ intent: 'set', typed: '' })}>
          {text.replaceToken}
        </Button>
        <Button size="small" look="quiet" onPress={() => onChange({ intent: isCleared ? 'keep' : 'clear' })}>
          {isCleared ? text.keepToken : text.clearToken}
        </Button>
      </span>
    </div>
  );
}

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
