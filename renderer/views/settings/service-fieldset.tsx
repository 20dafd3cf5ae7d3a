import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';
import { movesHost, type ServiceFields, type TokenField } from './workspace-fields.ts';

export interface ServiceFieldsetProps {
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
