import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ConnectionTests } from './connection-tests.tsx';
import { Advanced, Setting } from './setting.tsx';
import styles from './settings.module.css';
import { text } from './strings.ts';
import {
  draftOf,
  type FieldProblems,
  fieldsBegun,
  fieldsOf,
  hasRepository,
  hasTypedToken,
  overStored,
  problemsOf,
  type StoredOtherwise,
  usesHttp,
  withoutTokens,
  type WorkspaceFields,
} from './workspace-fields.ts';
import { DialectFields, ServiceFieldset, TimeoutFields, TrustFields } from './workspace-form-fields.tsx';
import type { BegunForm } from './workspace-form-place.tsx';
import { NetworkSection } from './workspace-network-section.tsx';

interface WorkspaceFormProps {
  /** What was typed before and left. */
  begun?: BegunForm | null;
  onChange?(form: BegunForm): void;
  /** null for a new workspace. */
  stored: WorkspaceView | null;
  /** With what was saved; null: nothing was. */
  onDone(saved: WorkspaceView | null): void;
}

/** Problems are shown from the first attempt on, not while the form is being filled in. */
export function WorkspaceForm({ stored, begun = null, onChange, onDone }: WorkspaceFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const [attempts, setAttempts] = useState(0);
  const { fields, basedOn, otherwise, lostToken, change, showStored } = useFields({ stored, begun, onChange });
  const { save, failure, isSaving, forget } = useSave(basedOn, onDone);
  const testing = useAction('workspaces.test');
  const refused = failure ?? testing.error;
  // The list in whose place it appears may have been scrolled.
  useEffect(() => {
    form.current?.scrollIntoView?.({ block: 'start' });
  }, []);
  // The result appears above the buttons, and may have pushed both out of sight.
  useEffect(() => {
    if (refused || testing.data) buttons.current?.scrollIntoView?.({ block: 'nearest' });
  }, [refused, testing.data]);
  // The first problem may be far above the button that was pressed.
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  const ifSound = (act: () => void): void => {
    setAttempts(attempts + 1);
    if (Object.keys(problemsOf(fields)).length === 0) act();
  };
  const test = (): void => testing.mutate({ id: stored?.id ?? null, draft: draftOf(fields) });
  const showTheirs = (): void => {
    if (!showStored()) return;
    forget();
    focusIn(buttons.current, '[type=submit]');
  };
  return (
    <form
      ref={form}
      className={layout.stack16}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ifSound(() => save(draftOf(fields)));
      }}
    >
      <h3 className={typography.viewTitle}>
        {stored === null ? text.addTitle : text.editTitle(visibleText(stored.name))}
      </h3>
      {lostToken && (
        <Notice meaning="info" title={text.tokensNotKept}>
          {text.tokensNotKeptThen}
        </Notice>
      )}
      <Fields stored={stored} fields={fields} problems={attempts > 0 ? problemsOf(fields) : {}} onChange={change} />
      {testing.data && <ConnectionTests tests={testing.data.tests} mayUse={fields.options.optionalActions} />}
      {otherwise && <StoredShown otherwise={otherwise} />}
      {refused && <Refused failure={refused} onShowStored={showTheirs} />}
      <div ref={buttons} className={layout.wrap8}>
        <Button type="submit" look="primary" isPending={isSaving}>
          {text.save}
        </Button>
        <Button isPending={testing.isPending} onPress={() => ifSound(test)}>
          {testing.isPending ? text.testing : text.test}
        </Button>
        <Button look="quiet" onPress={() => onDone(null)}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}

interface Filled {
  stored: WorkspaceView | null;
  begun: BegunForm | null;
  onChange: WorkspaceFormProps['onChange'];
}

/** What is typed in the form, and the stored workspace it is based on. */
function useFields({ stored, begun, onChange }: Filled) {
  const [fields, setFields] = useState(() => (begun ? fieldsBegun(begun.fields, stored) : fieldsOf(stored)));
  const [basedOn, setBasedOn] = useState(begun ? begun.basedOn : stored);
  const [otherwise, setOtherwise] = useState<readonly StoredOtherwise[] | null>(null);
  const lostToken = begun?.lostToken ?? false;
  const show = (next: WorkspaceFields, from: WorkspaceView | null): void => {
    setFields(next);
    onChange?.({
      id: from?.id ?? null,
      basedOn: from,
      fields: withoutTokens(next),
      lostToken: lostToken || hasTypedToken(next),
    });
  };
  const change = (changed: Partial<WorkspaceFields>): void => show({ ...fields, ...changed }, basedOn);
  /** Takes over what was saved meanwhile, except in fields that were edited. @returns whether it did */
  const showStored = (): boolean => {
    if (stored === null || basedOn === null) return false;
    const over = overStored(fields, basedOn, stored);
    setBasedOn(stored);
    show(over.fields, stored);
    setOtherwise(over.otherwise);
    return true;
  };
  return { fields, basedOn, otherwise, lostToken, change, showStored };
}

interface FieldsProps {
  stored: WorkspaceView | null;
  fields: WorkspaceFields;
  problems: FieldProblems;
  onChange(changed: Partial<WorkspaceFields>): void;
}

const advancedFields = ['connectSeconds', 'firstByteSeconds', 'idleSeconds', 'virusTotal', 'sandbox'] as const;

function Fields({ stored, fields, problems, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={text.name}
        value={fields.name}
        onChange={(name) => onChange({ name })}
        problem={problems.name ?? null}
        maxLength={80}
        takesFocus
      />
      <ServiceFieldset
        title={text.repository}
        fields={fields.repository}
        stored={stored?.repository ?? null}
        problem={problems.repository ?? problems.services}
        onChange={(repository) => onChange({ repository })}
      />
      <ServiceFieldset
        title={text.ruleEditor}
        fields={fields.ruleEditor}
        stored={stored?.ruleEditor ?? null}
        problem={problems.ruleEditor}
        onChange={(ruleEditor) => onChange({ ruleEditor })}
      />
      <HttpChoice fields={fields} onChange={(allowHttp) => onChange({ allowHttp })} />
      <Setting place="trust">
        <TrustFields fields={fields} problems={problems} onChange={onChange} />
      </Setting>
      <NetworkSection
        stored={stored}
        fields={fields.network}
        addresses={[fields.repository.baseUrl, fields.ruleEditor.baseUrl]}
        problems={problems}
        onChange={(network) => onChange({ network })}
      />
      <Advanced
        places={['timeouts', 'compatibility']}
        summary={text.advancedOf.workspace}
        hasProblem={advancedFields.some((name) => problems[name] !== undefined)}
      >
        <Setting place="timeouts">
          <TimeoutFields fields={fields} problems={problems} onChange={onChange} />
        </Setting>
        {hasRepository(fields) && (
          <Setting place="compatibility">
            <DialectFields fields={fields} stored={stored?.options ?? null} problems={problems} onChange={onChange} />
          </Setting>
        )}
      </Advanced>
    </>
  );
}

function Refused({ failure, onShowStored }: { failure: Failure; onShowStored(): void }) {
  return (
    <FailureNotice
      failure={failure}
      action={
        failure.kind === 'workspace-changed' && (
          <Button size="small" onPress={onShowStored}>
            {text.showStored}
          </Button>
        )
      }
    />
  );
}

/** The warning is there whenever http is used or allowed, and not only at the tick. */
function HttpChoice({ fields, onChange }: { fields: WorkspaceFields; onChange(allowHttp: boolean): void }) {
  return (
    <div className={classNames(layout.stack8, styles.group)}>
      {(fields.allowHttp || usesHttp(fields)) && (
        <Notice meaning="warn" title={text.httpWarning}>
          {text.httpWarningThen}
        </Notice>
      )}
      <Checkbox isSelected={fields.allowHttp} onChange={onChange}>
        {text.allowHttp}
      </Checkbox>
    </div>
  );
}

/** The typed text stays: a change of the same field from elsewhere is shown beside it. */
function StoredShown({ otherwise }: { otherwise: readonly StoredOtherwise[] }) {
  return (
    <Notice meaning="info" title={text.storedShown}>
      {text.storedShownThen}
      {otherwise.map(([label, value]) => (
        <span key={label}>
          {' '}
          {text.storedAs(label)} <bdi>{visibleText(value)}</bdi>.
        </span>
      ))}
    </Notice>
  );
}

function useSave(basedOn: WorkspaceView | null, onDone: WorkspaceFormProps['onDone']) {
  const toast = useToast();
  const client = useQueryClient();
  const adding = useAction('workspaces.add');
  const editing = useAction('workspaces.edit');
  const onSuccess = (saved: WorkspaceView): void => {
    toast({ meaning: 'ok', text: text.saved(visibleText(saved.name)) });
    onDone(saved);
  };
  const save = (draft: ReturnType<typeof draftOf>): void => {
    if (basedOn === null) adding.mutate(draft, { onSuccess });
    // The page may not have heard of what made the host refuse it.
    else
      editing.mutate(
        { id: basedOn.id, draft, basedOn },
        { onSuccess, onError: () => void client.invalidateQueries({ queryKey: ['workspaces.list'] }) },
      );
  };
  return {
    save,
    failure: adding.error ?? editing.error,
    isSaving: adding.isPending || editing.isPending,
    forget: editing.reset,
  };
}
