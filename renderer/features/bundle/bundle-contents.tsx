import { useId, useState } from 'react';
import type { BundleFacts, BundleOpening, BundleSigner, WorkspaceChanges } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatNumber, formatSize, nameInSentence } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { SampleName, TimeText } from '../../components/service-text.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { Fingerprint, useBundleStore } from './bundle-store.tsx';
import styles from './bundle.module.css';
import { text } from './strings.ts';

const longestTitle = 100;

/** What taking it in would change, and whose signature it has: so far nothing was changed. */
export function BundleContents({ opening, facts }: { opening: BundleOpening; facts: BundleFacts }) {
  const { hide } = useBundleStore();
  const { current } = useWorkspaces();
  const [chosen, setChosen] = useState<string | null>(null);
  // The host reports that it began: then its job is shown here.
  const taking = useReportedAction('bundles.import', {
    failureText: (why) => text.notTakenIn(nameInSentence(facts.title), why),
  });
  const forget = useForgetBundle(opening);
  const workspaceId = chosen ?? current?.id ?? null;
  const there = facts.workspaces.find((one) => one.workspaceId === workspaceId) ?? null;
  const takeIn = (): void => {
    if (workspaceId !== null) taking.mutate({ id: opening.id, workspaceId });
  };
  return (
    <Dialog
      title={text.bundleTitle(nameInSentence(facts.title, longestTitle))}
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
        <dd className={classNames(layout.row8, typography.note, styles.file)}>
          <SampleName name={opening.name} />
          <span className={styles.size}>{formatSize(opening.sizeBytes)}</span>
        </dd>
        <dt>{text.made}</dt>
        <dd>
          <TimeText sent={facts.created} /> <span className={typography.hint}>{text.creationNote}</span>
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
    <div className={classNames(layout.wrapRow, typography.body)}>
      <label className={typography.label} htmlFor={id}>
        {text.into}
      </label>
      <select
        id={id}
        className={classNames(surface.input, styles.select)}
        value={workspaceId ?? ''}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      >
        {workspaces.map((workspace) => (
          <option key={workspace.id} value={workspace.id}>
            {nameInSentence(workspace.name)}
          </option>
        ))}
      </select>
      <span id={`${id}-hint`} className={typography.hint}>
        {isCounted ? text.intoHint : text.intoUncounted}
      </span>
    </div>
  );
}

/**
 * A known name with another key may be another person, or a computer that lost its key: Vitrine cannot distinguish
 * them.
 */
function NewKey({ signer }: { signer: BundleSigner }) {
  return (
    <Notice
      meaning={signer.isNamesake ? 'bad' : 'warn'}
      title={signer.isNamesake ? text.namesake(nameInSentence(signer.name)) : text.standings.new}
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
            <span className={typography.hint}>{text.standings[signer.standing]}</span>
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

type Counted = keyof typeof text.count;

interface Row {
  name: string;
  comes: string[];
  stays: string[];
}

interface BundleChangesTableProps {
  facts: BundleFacts;
  /** The changes to the target workspace; null: they were not counted. */
  there: WorkspaceChanges | null;
}

/** What would come, and what would stay as it is, kind by kind. */
function BundleChangesTable({ facts, there }: BundleChangesTableProps) {
  return (
    <SmallTable className={styles.changes}>
      <caption className={typography.label}>{text.changes}</caption>
      <thead>
        <tr>
          {text.changeHeads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsOf(facts, there).map(({ name, comes, stays }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-figures>
              <bdi>{comes.length === 0 ? text.nothing : comes.join(', ')}</bdi>
            </td>
            <td data-figures>
              <bdi>{stays.join(', ')}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  );
}

/** Kinds that the bundle has nothing of are left out, but for the samples. */
function rowsOf({ changes, samples, withBytes }: BundleFacts, there: WorkspaceChanges | null): Row[] {
  const { tags, notes, tlps } = changes;
  const rules = there?.rules ?? null;
  const without = samples - withBytes;
  const rows: Row[] = [
    {
      name: text.rows.samples,
      comes: [
        ...(changes.samples.new === 0 ? [] : [text.count.new(formatNumber(changes.samples.new))]),
        ...(changes.samples.newBytes === 0 ? [] : [text.newBytes(formatSize(changes.samples.newBytes))]),
      ],
      stays: [
        ...(changes.samples.same === 0 ? [] : [text.sameSamples(formatNumber(changes.samples.same))]),
        ...(without === 0 ? [] : [text.withoutBytes(formatNumber(without))]),
        ...counts(changes.samples, ['contradicting']),
      ],
    },
    ...(there === null
      ? []
      : [
          {
            name: text.rows.records,
            comes: counts(there.records, ['new', 'newer']),
            stays: counts(there.records, ['same', 'older', 'contradicting']),
          },
        ]),
    { name: text.rows.tags, comes: counts(tags, ['new']), stays: [] },
    { name: text.rows.notes, comes: counts(notes, ['new', 'added']), stays: counts(notes, ['same']) },
    ...(there === null
      ? []
      : [
          { name: text.rows.comments, comes: counts(there.comments, ['new']), stays: counts(there.comments, ['same']) },
        ]),
    { name: text.rows.tlps, comes: counts(tlps, ['stricter']), stays: counts(tlps, ['same']) },
    {
      name: text.rows.rules,
      comes: rules?.state === 'new' ? [text.rulesNew(visibleLine(rules.version))] : [],
      stays: rules?.state === 'same' ? [text.rulesSame(visibleLine(rules.version))] : [],
    },
  ];
  return rows.filter(({ comes, stays }, at) => at === 0 || comes.length + stays.length > 0);
}

const counts = <C extends Counted>(of: Readonly<Record<C, number>>, names: readonly C[]): string[] =>
  names.flatMap((name) => (of[name] === 0 ? [] : [text.count[name](formatNumber(of[name]))]));

/** Stops its reading, or forgets what was read: nothing is open afterwards, and nothing was changed. */
export function useForgetBundle({ id }: Pick<BundleOpening, 'id'>): () => void {
  const bridge = useBridge();
  const toast = useToast();
  const { noteClosed, noteFile } = useBundleStore();
  const forget = async (): Promise<void> => {
    // First: the host may report that nothing is open before it answers, and then no passphrase is asked for the file.
    noteFile(null);
    const answer = await bridge.call('bundles.close', { id });
    if (!answer.ok)
      return toast({
        meaning: 'bad',
        text: text.notForgotten(describeFailure(answer.failure).what),
        failure: answer.failure,
      });
    return noteClosed(id);
  };
  return () => void forget();
}
