import { useRef, useState } from 'react';
import {
  bundleAuthor,
  type BundleParts,
  bundleTitle,
  shortestBundlePassphrase,
} from '../../../shared/domain/bundle.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { rememberCaseHabits, rememberedCaseHabits } from '../../memory/preferences.ts';
import { useReportedAction } from '../../state/reported-action.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { useStrictest } from '../case/strictest-tlp.ts';
import { ExportDialog, useReportedExport } from '../export/export-dialog.tsx';
import { LeftOutNotice, useWithoutBytes } from '../export/left-out.tsx';
import { ReadyDownload } from '../export/ready-download.tsx';
import { text as exportText } from '../export/strings.ts';
import { useActivePackage } from '../publications/publications-place.tsx';
import { AskForRecords } from '../records/records.tsx';
import { Fingerprint } from './bundle-store.tsx';
import styles from './bundle.module.css';
import { text } from './strings.ts';

export interface BundleRequest {
  selection: LibrarySelection;
  count: number;
  /** Fit to be one: on one line, of visible characters. */
  title: string;
}

export interface MakeBundleDialogProps extends BundleRequest {
  onClose(): void;
}

/** Texts that people wrote are included only on request, as in a case. */
const partsAtFirst: BundleParts = { samples: true, notes: false, threads: false, rules: false };

/** Samples leave for another computer, so it asks: with what, from whom, and behind which passphrase. */
export function MakeBundleDialog({ selection, count, title: titleAtFirst, onClose }: MakeBundleDialogProps) {
  const reported = useReportedExport(text, onClose);
  const start = useReportedAction('bundles.start', reported.start);
  const prepare = useReportedAction('bundles.prepare', reported.prepare);
  const { current } = useWorkspaces();
  const [parts, setParts] = useState(partsAtFirst);
  const withoutBytes = useWithoutBytes(parts.samples ? selection : null, count);
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
    <ExportDialog
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
          <p className={typography.sentence}>{text.makeSentence}</p>
          <Parts value={parts} onChange={setParts} />
          <LeftOutNotice leftOut={withoutBytes} of={count} words={exportText.withoutFile} />
          <div className={classNames(layout.beside, styles.pair)}>
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
    </ExportDialog>
  );
}

function authorProblem(author: string, isFine: boolean): string | null {
  if (isFine) return null;
  return author === '' ? text.authorMissing : text.authorProblem;
}

/**
 * The key that signs the bundle; above it the number of samples whose TLP is unknown, which are also unknown to the
 * recipient: it is shown while their records can still be fetched.
 */
function LastWords({ selection }: Pick<BundleRequest, 'selection'>) {
  const { current } = useWorkspaces();
  const { data } = useStrictest(selection);
  const unknown = data?.isKnown === true ? data.unknown : 0;
  const end = useRef<HTMLDivElement>(null);
  // What is asked for may come, and take its button away.
  useKeptFocus(end);
  return (
    <div ref={end} className={layout.stack12}>
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
      <p className={typography.label} aria-hidden="true">
        {text.parts}
      </p>
      <div className={classNames(layout.wrap, styles.parts)}>
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
    <div className={layout.stack4}>
      <p className={typography.label}>{text.ownKey}</p>
      <Fingerprint value={signer.fingerprint} />
      <p className={typography.hint}>{text.ownKeyHint}</p>
      {!signer.isDurable && <Notice meaning="warn" size="small" title={text.notDurable} />}
    </div>
  );
}

export type PassphraseStrength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * Bits a character that a person chose is worth, by how many kinds there are: small letters, capitals, digits, anything
 * else.
 */
const bitsByKinds = [0, 2.5, 3.5, 4.5, 4.5];
const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}\s]/u];
const leastFair = 45;
const leastStrong = 65;

export const missingCharacters = (passphrase: string): number =>
  Math.max(0, shortestBundlePassphrase - [...passphrase].length);

/** A rough estimate, shown to a person: a character that repeats or continues the one before it does not count. */
export function passphraseStrength(passphrase: string): PassphraseStrength {
  if (missingCharacters(passphrase) > 0) return 'short';
  const codes = [...passphrase].map((character) => character.codePointAt(0) ?? 0);
  const fresh = codes.filter((code, at) => at === 0 || Math.abs(code - (codes[at - 1] ?? 0)) > 1).length;
  const varied = Math.min(fresh, new Set(codes).size * 2);
  const bits = varied * (bitsByKinds[kinds.filter((kind) => kind.test(passphrase)).length] ?? 0);
  if (bits < leastFair) return 'weak';
  return bits < leastStrong ? 'fair' : 'strong';
}

export interface NewPassphrase {
  passphrase: string;
  again: string;
}

export const isFit = ({ passphrase, again }: NewPassphrase): boolean =>
  passphrase === again && missingCharacters(passphrase) === 0;

export interface NewPassphraseFieldsProps {
  value: NewPassphrase;
  onChange(changed: NewPassphrase): void;
  onEnter(): void;
}

/** A passphrase, twice, and what it is worth. */
export function NewPassphraseFields({ value, onChange, onEnter }: NewPassphraseFieldsProps) {
  const { passphrase, again } = value;
  const isBegun = again !== passphrase && passphrase.startsWith(again);
  const differs = again !== passphrase && !isBegun;
  return (
    <div className={classNames(layout.beside, styles.pair)}>
      <TextField
        label={text.passphrase}
        type="password"
        value={passphrase}
        onChange={(typed) => onChange({ ...value, passphrase: typed })}
        hint={strengthWords(passphrase)}
        onEnter={onEnter}
        maxLength={1024}
        autoComplete="new-password"
      />
      <TextField
        label={text.passphraseAgain}
        type="password"
        value={again}
        onChange={(typed) => onChange({ ...value, again: typed })}
        onEnter={onEnter}
        hint={isBegun ? (again === '' ? text.againMissing : text.againShort) : undefined}
        problem={differs ? text.passphrasesDiffer : null}
        maxLength={1024}
        autoComplete="new-password"
      />
    </div>
  );
}

function strengthWords(passphrase: string): string {
  if (passphrase === '') return text.passphraseLengths(shortestBundlePassphrase);
  const strength = passphraseStrength(passphrase);
  return strength === 'short' ? text.strengths.short(missingCharacters(passphrase)) : text.strengths[strength];
}
