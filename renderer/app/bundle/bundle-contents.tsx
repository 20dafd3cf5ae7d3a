import { useId, useState } from 'react';
import type { BundleFacts, BundleOpening, BundleSigner } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { sizeWords } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { CutName, TimeText } from '../../components/service-text.tsx';
import { useToldAction } from '../use-told-action.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { BundleChangesTable } from './bundle-changes.tsx';
import { shownName, useBundleDesk } from './bundle-desk.tsx';
import styles from './bundle.module.css';
import { Fingerprint } from './fingerprint.tsx';
import { text } from './text.ts';
import { useForgetBundle } from './use-forget-bundle.ts';

const longestTitle = 100;

/** What taking it in would change, and whose signature it has: so far nothing was changed. */
export function BundleContents({ opening, facts }: { opening: BundleOpening; facts: BundleFacts }) {
  const { hide } = useBundleDesk();
  const { current } = useWorkspaces();
  const [chosen, setChosen] = useState<string | null>(null);
  // The host tells that it began: then its job is shown here.
  const taking = useToldAction('bundles.import', { lost: (why) => text.notTakenIn(shownName(facts.title), why) });
  const forget = useForgetBundle(opening);
  const workspaceId = chosen ?? current?.id ?? null;
  const there = facts.workspaces.find((one) => one.workspaceId === workspaceId) ?? null;
  const takeIn = (): void => {
    if (workspaceId !== null) taking.mutate({ id: opening.id, workspaceId });
  };
  return (
    <Dialog
      title={text.bundleTitle(shownName(facts.title, longestTitle))}
      isOpen
      onClose={hide}
      wide
      actions={
        <>
          <Button look="quiet" isDisabled={taking.isPending} onPress={forget}>
            {text.forget}
          </Button>
          <Button onPress={hide} takesFocus>
            {text.close}
          </Button>
          <Button look="primary" isDisabled={workspaceId === null || taking.isPending} onPress={takeIn}>
            {taking.isPending ? text.takingIn : text.takeIn}
          </Button>
        </>
      }
    >
      <dl className={styles.facts}>
        <dt>{text.file}</dt>
        <dd className={styles.file}>
          <CutName name={opening.name} />
          <span className={styles.size}>{sizeWords(opening.sizeBytes)}</span>
        </dd>
        <dt>{text.made}</dt>
        <dd>
          <TimeText sent={facts.created} /> <span className={styles.hint}>{text.madeAsItSays}</span>
        </dd>
        <SignedBy signer={facts.signer} />
      </dl>
      {facts.signer.standing === 'new' && <NewKey signer={facts.signer} />}
      <IntoWorkspace workspaceId={workspaceId} isCounted={there !== null} onChange={setChosen} />
      <BundleChangesTable facts={facts} there={there} />
      {taking.error && <FailureNotice failure={taking.error} onAgain={takeIn} />}
    </Dialog>
  );
}

interface IntoWorkspaceProps {
  workspaceId: string | null;
  /** What it would change there is known. */
  isCounted: boolean;
  onChange(workspaceId: string): void;
}

function IntoWorkspace({ workspaceId, isCounted, onChange }: IntoWorkspaceProps) {
  const { workspaces } = useWorkspaces();
  const id = useId();
  return (
    <div className={styles.into}>
      <label className={styles.label} htmlFor={id}>
        {text.into}
      </label>
      <select
        id={id}
        className={styles.select}
        value={workspaceId ?? ''}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      >
        {workspaces.map((workspace) => (
          <option key={workspace.id} value={workspace.id}>
            {shownName(workspace.name)}
          </option>
        ))}
      </select>
      <span id={`${id}-hint`} className={styles.hint}>
        {isCounted ? text.intoHint : text.intoUncounted}
      </span>
    </div>
  );
}

/** A name that is known with another key may be somebody else’s, or a desk that lost its key: nobody here can tell. */
function NewKey({ signer }: { signer: BundleSigner }) {
  return (
    <Notice
      meaning={signer.isNamesake ? 'bad' : 'warn'}
      title={signer.isNamesake ? text.namesake(shownName(signer.name)) : text.standings.new}
    >
      {signer.isNamesake ? text.namesakeThen : text.newKeyThen}
    </Notice>
  );
}

function SignedBy({ signer }: { signer: BundleSigner }) {
  return (
    <>
      <dt>{text.signedBy}</dt>
      <dd>
        <bdi>{visibleLine(signer.name)}</bdi>
        {signer.standing !== 'new' && (
          <>
            {' '}
            <span className={styles.hint}>{text.standings[signer.standing]}</span>
          </>
        )}
      </dd>
      <dt>{text.key}</dt>
      <dd>
        <Fingerprint value={signer.fingerprint} />
      </dd>
    </>
  );
}
