import { useState } from 'react';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';

export function TokensSection() {
  const { data: host } = useOperation('host.describe', {});
  if (!host) return null;
  const { secrets } = host;
  return (
    <>
      <Where secrets={secrets} />
      {(secrets.store === 'memory' || (secrets.store === 'sealed-file' && secrets.state === 'damaged')) && (
        <CreateForm />
      )}
      {secrets.state === 'locked' && <UnlockForm />}
    </>
  );
}

/**
 * Where tokens are looked at or entered: the way to keep them while they are in memory only, and to unlock them.
 * Nothing where there is none to keep.
 */
export function KeepTokens() {
  const { data: host } = useOperation('host.describe', {});
  const { workspaces } = useWorkspaces();
  const [isOpen, setOpen] = useState(false);
  const hasTokens = workspaces.some(
    ({ builtIn, repository, ruleEditor }) =>
      !builtIn && (repository?.hasToken === true || ruleEditor?.hasToken === true),
  );
  if (host === undefined) return null;
  const { state, store } = host.secrets;
  const isLocked = state === 'locked';
  const close = (): void => setOpen(false);
  // The dialog closes itself: what it shows last is not to change under its reader.
  if (!isLocked && !(state === 'open' && store === 'memory' && hasTokens)) return null;
  return (
    <>
      <Notice
        meaning={isLocked ? 'warn' : 'info'}
        title={isLocked ? text.stores.locked : text.stores.memory}
        actions={
          <Button size="small" onPress={() => setOpen(true)}>
            {isLocked ? text.unlockTokens : text.keepTokensVerb}
          </Button>
        }
      >
        {isLocked ? text.storesThen.locked : text.keepTokensThen}
      </Notice>
      {isOpen && (isLocked ? <UnlockDialog onClose={close} /> : <CreateDialog onClose={close} />)}
    </>
  );
}

function CreateDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={text.createTitle} isOpen onClose={onClose} staysOnClickBeside>
      <CreateForm onDone={onClose} />
    </Dialog>
  );
}

/** Unlocks the tokens from anywhere. */
export function UnlockDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={text.unlockTitle} isOpen onClose={onClose} staysOnClickBeside>
      <UnlockForm onDone={onClose} />
    </Dialog>
  );
}

interface FormProps {
  /** Of a dialog: closes it. */
  onDone?: () => void;
}

function Where({ secrets }: { secrets: SecretsState }) {
  if (secrets.state === 'locked')
    return (
      <Notice meaning="warn" title={text.stores.locked}>
        {text.storesThen.locked}
      </Notice>
    );
  if (secrets.state === 'damaged') return <Damaged store={secrets.store} />;
  if (secrets.store === 'keychain')
    return (
      <Notice meaning="ok" title={text.stores.keychain(secrets.backend)}>
        {text.storesThen.keychain}
      </Notice>
    );
  if (secrets.store === 'sealed-file')
    return (
      <Notice meaning="ok" title={text.stores.sealed}>
        {text.storesThen.sealed}
      </Notice>
    );
  return (
    <Notice meaning="info" title={text.stores.memory}>
      {text.storesThen.memory}
    </Notice>
  );
}

function Damaged({ store }: { store: SecretsState['store'] }) {
  const what = store === 'keychain' ? 'keychainDamaged' : 'damaged';
  return (
    <Notice meaning="bad" title={text.stores[what]}>
      {text.storesThen[what]}
    </Notice>
  );
}

function CreateForm({ onDone }: FormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const toast = useToast();
  const { mutate, isPending, error } = useReportedAction('secrets.create', {
    report: () => toast({ meaning: 'ok', text: text.created }),
    failureText: text.notCreated,
    ...(onDone && { onClose: onDone }),
  });
  const differ = again !== '' && again !== passphrase;
  const submit = (): void => {
    if (passphrase === again && !isPending) mutate({ passphrase });
  };
  return (
    <form
      className={layout.stack16}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={text.passphrase}
        type="password"
        value={passphrase}
        onChange={setPassphrase}
        hint={text.passphraseHint}
        autoComplete="new-password"
        takesFocus={onDone !== undefined}
      />
      <TextField
        label={text.passphraseAgain}
        type="password"
        value={again}
        onChange={setAgain}
        problem={differ ? text.passphrasesDiffer : null}
        autoComplete="new-password"
      />
      <p className={typography.sentence}>{text.sealProtects}</p>
      {error && <FailureNotice failure={error} />}
      <div className={classNames(layout.wrap8, onDone && styles.dialogActions)}>
        {onDone && <Button onPress={onDone}>{text.cancel}</Button>}
        <Button
          type="submit"
          look="primary"
          isPending={isPending}
          isDisabled={passphrase === '' || passphrase !== again}
        >
          {text.create}
        </Button>
      </div>
    </form>
  );
}

function UnlockForm({ onDone }: FormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [forgets, setForgets] = useState(false);
  const toast = useToast();
  const { mutate, isPending, error } = useReportedAction('secrets.unlock', {
    report: () => toast({ meaning: 'ok', text: text.unlocked }),
    failureText: text.notUnlocked,
    ...(onDone && { onClose: onDone }),
  });
  const submit = (): void => {
    if (!isPending) mutate({ passphrase });
  };
  return (
    <form
      className={layout.stack16}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={text.passphrase}
        type="password"
        value={passphrase}
        onChange={setPassphrase}
        autoComplete="current-password"
        takesFocus={onDone !== undefined}
      />
      {error && <FailureNotice failure={error} />}
      <div className={classNames(layout.wrap8, onDone && styles.dialogActions)}>
        {onDone && <Button onPress={onDone}>{text.cancel}</Button>}
        <Button type="submit" look="primary" isPending={isPending} isDisabled={passphrase === ''}>
          {text.unlock}
        </Button>
        {onDone === undefined && (
          <Button look="quiet" onPress={() => setForgets(true)}>
            {text.forgetTokens}
          </Button>
        )}
      </div>
      {forgets && <ForgetTokensDialog onClose={() => setForgets(false)} />}
    </form>
  );
}

/** For a lost passphrase: without it there is no other way. */
function ForgetTokensDialog({ onClose }: { onClose(): void }) {
  const toast = useToast();
  const report = (): void => toast({ meaning: 'ok', text: text.tokensForgotten });
  const { mutate, isPending, error } = useReportedAction('secrets.forget', {
    report,
    failureText: text.tokensNotForgotten,
    onClose,
  });
  return (
    <Dialog
      title={text.forgetTokensTitle}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keepTokens}
          </Button>
          <Button look="danger" isDisabled={isPending} onPress={() => mutate({})}>
            {text.forgetTokensVerb}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.forgetTokensSentence}</p>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}
