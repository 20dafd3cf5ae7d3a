import { type SubmitEvent, useState } from 'react';
import { type PublicationsState, type RuleOptions, ruleOptions } from '../../../shared/domain/publication.ts';
import { readVariables, writtenVariable } from '../../../shared/domain/rule-variable.ts';
import type { TokenChange } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './options.module.css';
import { text } from './strings.ts';

const policies: readonly { value: RuleOptions['policy']; text: string }[] = [
  { value: 'one-click', text: text.policies['one-click'] },
  { value: 'refuse-broken', text: text.policies['refuse-broken'] },
  { value: 'install-whole', text: text.policies['install-whole'] },
];

/** A workspace's options for packages, as typed: for the form, and for the buttons outside of it. */
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
  const { hasPassword, rulesFrom } = state;
  return { fields, set, save, failure, hasPassword, rulesFrom, canBeSaved: read.ok && !isSaving };
}

/** `id`: what a button outside of the form names it by. */
export function OptionsForm({
  id,
  form: { fields, set, save, failure, hasPassword, rulesFrom },
}: {
  id: string;
  form: ReturnType<typeof useOptionsForm>;
}) {
  const read = readFields(fields);
  const variablesProblem = read.ok ? null : (read.problems.variables ?? null);
  return (
    <>
      <form id={id} className={layout.stack12} noValidate onSubmit={save}>
        <RadioChoice
          label={text.policy}
          value={fields.policy}
          options={policies}
          onChange={(policy) => set({ policy })}
        />
        <Numbers fields={fields} onChange={set} />
        {rulesFrom === 'export' && <p className={typography.note}>{text.noPublications}</p>}
        <div>
          <Checkbox isSelected={fields.includeTest} onChange={(includeTest) => set({ includeTest })}>
            {text.includeTest}
          </Checkbox>
          <Checkbox isSelected={fields.publicLink} onChange={(publicLink) => set({ publicLink })}>
            {text.publicLink} <span className={typography.hint}>{text.publicLinkHint}</span>
          </Checkbox>
          <Checkbox isSelected={fields.encrypted} onChange={(encrypted) => set({ encrypted })}>
            {text.encrypted} <span className={typography.hint}>{text.encryptedHint}</span>
          </Checkbox>
          <Checkbox isSelected={fields.relaxed} onChange={(relaxed) => set({ relaxed })}>
            {text.relaxed} <span className={typography.hint}>{text.relaxedHint}</span>
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
    <div className={classNames(layout.grid12, styles.fields)}>
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

/** The form as it is typed: text until it is saved. */
interface OptionsFields extends Pick<
  RuleOptions,
  'includeTest' | 'publicLink' | 'encrypted' | 'versionWhenNone' | 'policy' | 'mapping' | 'relaxed'
> {
  checkHours: string;
  keep: string;
  /** One a line. */
  variables: string;
  /** A stored password is never here. */
  password: { intent: TokenChange['kind']; typed: string };
}

type OptionsProblems = Partial<Record<'versionWhenNone' | 'checkHours' | 'keep' | 'variables', string>>;

function fieldsOf({ checkHours, keep, variables, ...options }: RuleOptions, hasPassword: boolean): OptionsFields {
  return {
    ...options,
    checkHours: String(checkHours),
    keep: String(keep),
    variables: variables.map(writtenVariable).join('\n'),
    password: { intent: hasPassword ? 'keep' : 'set', typed: '' },
  };
}

/** An empty password field stores none. */
function passwordOf({ password: { intent, typed } }: OptionsFields): TokenChange {
  if (intent === 'set') return typed === '' ? { kind: 'keep' } : { kind: 'set', token: typed };
  return { kind: intent };
}

type ReadOptions = { ok: true; options: RuleOptions } | { ok: false; problems: OptionsProblems };

/** The password is no option, and is left out. */
function readFields({ checkHours, keep, variables, ...fields }: OptionsFields): ReadOptions {
  const defined = readVariables(variables);
  const read = ruleOptions.safeParse({
    ...fields,
    versionWhenNone: fields.versionWhenNone.trim(),
    checkHours: wholeNumber(checkHours),
    keep: wholeNumber(keep),
    variables: defined.ok ? defined.variables : null,
  });
  if (read.success) return { ok: true, options: read.data };
  const wrong = new Set(read.error.issues.map(({ path: [field] }) => field));
  return {
    ok: false,
    problems: {
      ...(wrong.has('versionWhenNone') ? { versionWhenNone: text.versionWhenNoneProblem } : {}),
      ...(wrong.has('checkHours') ? { checkHours: rangeOf('checkHours') } : {}),
      ...(defined.ok ? {} : { variables: text.variablesProblem(defined.line, defined.problem) }),
      ...(wrong.has('keep') ? { keep: rangeOf('keep') } : {}),
    },
  };
}

const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN);

function rangeOf(field: 'checkHours' | 'keep'): string {
  const { minValue, maxValue } = ruleOptions.shape[field];
  return text.wholeNumber(minValue ?? 0, maxValue ?? 0);
}

const longestPassword = 128;

interface PackagePasswordProps {
  password: OptionsFields['password'];
  hasStored: boolean;
  onChange(password: OptionsFields['password']): void;
}

/** Write-only: what is stored never comes to the page, so there is nothing to show but that it is there. */
function PackagePassword({ password: { intent, typed }, hasStored, onChange }: PackagePasswordProps) {
  if (intent === 'set') {
    return (
      <div className={classNames(layout.stack4, styles.password)}>
        <TextField
          label={text.password}
          type="password"
          value={typed}
          onChange={(next) => onChange({ intent, typed: next })}
          hint={text.passwordHint}
          maxLength={longestPassword}
          autoComplete="off"
          mono
        />
        {hasStored && (
          <Button size="small" look="quiet" onPress={() => onChange({ intent: 'keep', typed: '' })}>
            {text.keepPassword}
          </Button>
        )}
      </div>
    );
  }
  const isCleared = intent === 'clear';
  return (
    <div role="group" aria-label={text.password} className={classNames(layout.wrapRow8, styles.storedPassword)}>
      <span>{isCleared ? text.passwordCleared : text.passwordStored}</span>
      <span className={layout.centred8}>
        <Button size="small" onPress={() => onChange({ intent: 'set', typed: '' })}>
          {text.replacePassword}
        </Button>
        <Button size="small" look="quiet" onPress={() => onChange({ intent: isCleared ? 'keep' : 'clear', typed: '' })}>
          {isCleared ? text.keepPassword : text.clearPassword}
        </Button>
      </span>
    </div>
  );
}

interface SavedOptions {
  /** As they are stored, or will be in a moment; null until they are known. */
  options: RuleOptions | null;
  change(
    change: Partial<RuleOptions>,
    then?: { password?: TokenChange; onSaved?(): void; onFailed?(failure: Failure): void },
  ): void;
  isSaving: boolean;
  failure: Failure | null;
}

/** What is asked of the host with the options goes in turn with their storing: two requests may overtake each other. */
export const turnOfOptions = (workspaceId: string): string => `publications.options ${workspaceId}`;

/** What the workspace does about packages. A choice shows at once what was chosen. */
export function useSavedOptions(workspaceId: string, state: PublicationsState | null): SavedOptions {
  const { mutate, isPending, error } = useAction('publications.setOptions', { turn: turnOfOptions(workspaceId) });
  const [chosen, choose] = useState<RuleOptions | null>(null);
  const stored = state?.options ?? null;
  const change: SavedOptions['change'] = (
    changed,
    { password = { kind: 'keep' } satisfies TokenChange, onSaved, onFailed } = {},
  ) => {
    if (stored === null) return;
    const options = { ...stored, ...changed };
    choose(options);
    mutate(
      { workspaceId, options, password },
      {
        onSuccess: () => onSaved?.(),
        onError: (failure) => onFailed?.(failure),
        onSettled: () => choose(null),
      },
    );
  };
  return { options: chosen ?? stored, change, isSaving: isPending, failure: error };
}
