import { useRef, useState } from 'react';
import { bundleAuthor, type BundleParts, bundleTitle } from '../../../shared/domain/bundle.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { rememberCaseHabits, rememberedCaseHabits } from '../../memory/case-habits.ts';
import { useStrictest } from '../case/use-strictest.ts';
import { LeaveDialog } from '../export/leave-dialog.tsx';
import { ReadyDownload } from '../export/ready-download.tsx';
import { useToldLeaving } from '../export/use-told-leaving.ts';
import { useActivePackage } from '../publications/use-active-package.ts';
import { AskForRecords } from '../records/ask-for-records.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { useToldAction } from '../use-told-action.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import styles from './bundle.module.css';
import { Fingerprint } from './fingerprint.tsx';
import { isFit, NewPassphraseFields } from './new-passphrase-fields.tsx';
import { text } from './text.ts';

export interface AskedBundle {
  selection: LibrarySelection;
  count: number;
  /** Fit to be one: on one line, of visible characters. */
  title: string;
}

export interface MakeBundleDialogProps extends AskedBundle {
  onClose(): void;
}

/** What people wrote goes along only when somebody says so, as in a case. */
const partsAtFirst: BundleParts = { samples: true, notes: false, threads: false, rules: false };

/** Samples leave for another desk, so it asks: with what, from whom, and behind which passphrase. */
export function MakeBundleDialog({ selection, count, title: titleAtFirst, onClose }: MakeBundleDialogProps) {
  const told = useToldLeaving(text, onClose);
  const start = useToldAction('bundles.start', told.start);
  const prepare = useToldAction('bundles.prepare', told.prepare);
  const { current } = useWorkspaces();
  const [parts, setParts] = useState(partsAtFirst);
  const [title, setTitle] = useState(titleAtFirst);
  const [author, setAuthor] = useState(() => rememberedCaseHabits().author);
  const [secret, setSecret] = useState({ passphrase: '', again: '' });
  const isNamed = bundleTitle.safeParse(title.trim()).success;
  const isSigned = bundleAuthor.safeParse(author.trim()).success;
  const [authorAtFirst] = useState(author);
  const isTyped = title !== titleAtFirst || author !== authorAtFirst || secret.passphrase !== '' || secret.again !== '';
  const sign = (name: string): void => {
    setAuthor(name);
    rememberCaseHabits({ ...rememberedCaseHabits(), author: name });
  };
  const isReady = isNamed && isSigned && isFit(secret);
  const named = { title: title.trim(), author: author.trim() };
  const input =
    current !== null && isReady
      ? { selection, parts, ...named, passphrase: secret.passphrase, workspaceId: current.id }
      : null;
  const ready =
    prepare.data?.kind === 'browser' ? <ReadyDownload ready={prepare.data} words={text} onClose={onClose} /> : null;
  return (
    <LeaveDialog
      title={text.makeTitle(count)}
      input={input}
      start={start}
      prepare={prepare}
      words={text}
      ready={ready}
      isTyped={isTyped}
      onClose={onClose}
    >
      {(leave) => (
        <>
          <p className={styles.sentence}>{text.makeSentence}</p>
          <Parts value={parts} onChange={setParts} />
          <div className={styles.pair}>
            <TextField
              label={text.title}
              value={title}
              onChange={setTitle}
              problem={isNamed ? null : text.titleProblem}
              maxLength={200}
              autoComplete="off"
            />
            <TextField
              label={text.author}
              value={author}
              onChange={sign}
              hint={text.authorHint}
              problem={authorProblem(author, isSigned || (author === '' && secret.passphrase === ''))}
              maxLength={100}
              autoComplete="off"
            />
          </div>
          <NewPassphraseFields value={secret} onChange={setSecret} onEnter={leave} />
          <LastWords selection={selection} />
        </>
      )}
    </LeaveDialog>
  );
}

function authorProblem(author: string, isFine: boolean): string | null {
  if (isFine) return null;
  return author === '' ? text.authorMissing : text.authorProblem;
}

/**
 * Whose key it is; and above it how many samples nobody knows the TLP of, who gets the bundle neither: it is told while
 * they can still be asked for.
 */
function LastWords({ selection }: Pick<AskedBundle, 'selection'>) {
  const { current } = useWorkspaces();
  const { data } = useStrictest(selection);
  const unknown = data?.isKnown === true ? data.unknown : 0;
  const end = useRef<HTMLDivElement>(null);
  // What is asked for may come, and take its button away.
  useKeptFocus(end);
  return (
    <div ref={end} className={styles.end}>
      {unknown > 0 && (
        <Notice
          meaning="warn"
          title={text.tlpUnknown(unknown)}
          actions={current && <AskForRecords selection={selection} workspace={current} />}
        >
          {text.tlpUnknownThen}
        </Notice>
      )}
      <div data-landing tabIndex={-1}>
        <OwnKey />
      </div>
    </div>
  );
}

function Parts({ value, onChange }: { value: BundleParts; onChange(changed: BundleParts): void }) {
  const active = useActivePackage();
  const rules = active === null ? text.noRules : text.rulesOf(visibleText(cutMiddle(active.version, 28)));
  const box = (part: keyof BundleParts, words: string, isDisabled = false) => (
    <Checkbox
      key={part}
      isSelected={value[part] && !isDisabled}
      isDisabled={isDisabled}
      onChange={(isIn) => onChange({ ...value, [part]: isIn })}
    >
      <bdi>{words}</bdi>
    </Checkbox>
  );
  return (
    <div role="group" aria-label={text.parts}>
      <p className={styles.label} aria-hidden="true">
        {text.parts}
      </p>
      <div className={styles.parts}>
        {box('samples', text.partNames.samples)}
        {box('notes', text.partNames.notes)}
        {box('threads', text.partNames.threads)}
        {box('rules', rules, active === null)}
      </div>
    </div>
  );
}

/** The receiver knows the bundle by it. */
function OwnKey() {
  const { data: signer, error } = useOperation('bundles.signer', {});
  if (error) return <FailureNotice failure={error} />;
  if (signer === undefined) return null;
  return (
    <div className={styles.key}>
      <p className={styles.label}>{text.ownKey}</p>
      <Fingerprint value={signer.fingerprint} />
      <p className={styles.hint}>{text.ownKeyHint}</p>
      {!signer.isDurable && <Notice meaning="warn" size="small" title={text.notDurable} />}
    </div>
  );
}
