import { ScanSearch, TriangleAlert, VolumeX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import type { RuleRow, RuleView, RuleWarning } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatMinute } from '../../../components/format.ts';
import { Notice } from '../../../components/notice.tsx';
import { LongText, TagChip } from '../../../components/service-text.tsx';
import { YaraSource } from '../../../components/yara/yara-source.tsx';
import { MuteDialog } from '../../../features/mutes/mute-dialogs.tsx';
import { type ChosenRule, usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useStartScan } from '../../../features/scans/start-scan.ts';
import { FailureRemedy, meaningOf } from '../../../state/failure-remedy.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { WrappedName } from '../updates/changes-grid.tsx';
import { RuleKnown } from './rule-known.tsx';
import styles from './rules.module.css';
import { text } from './strings.ts';

interface RulePaneProps {
  workspaceId: string;
  chosen: ChosenRule;
  /** Those of this rule that are in force. */
  mutes: readonly Mute[];
  /** Opens the editor with a text. */
  onTry(source: string): void;
}

/** A rule, to be read and muted. */
export function RulePane({ workspaceId, chosen: { sha256, number, name }, mutes, onTry }: RulePaneProps) {
  const { data, error, refetch } = useOperation('publications.rule', { workspaceId, sha256, number });
  const [isMuting, setMuting] = useState(false);
  const { start: scan, isStarting, failure: notScanned } = useStartScan('hunts.start');
  const trial = useAction('publications.ruleToTry', { onDone: ({ text: source }) => source !== null && onTry(source) });
  const [kept, keep] = useState<RuleView | undefined>(data);
  if (data !== undefined && data !== kept) keep(data);
  // The rule before stays until this one is here.
  const rule = data ?? kept;
  return (
    <section className={layout.pane} data-pane data-rule aria-label={text.rule(visibleText(name))}>
      {error !== null && (
        <div className={layout.inset}>
          <FailureNotice
            failure={error}
            retry={{ name: 'publications.rule', input: { workspaceId, sha256, number } }}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {error === null && rule !== undefined && (
        <>
          <RuleHead
            rule={rule}
            isStarting={isStarting}
            onScan={() => scan({ workspaceId, scope: { kind: 'named', rules: [rule.row.key] } })}
            isPreparing={trial.isPending}
            onTry={() => trial.mutate({ workspaceId, sha256, number: rule.row.number })}
            onMute={() => setMuting(true)}
          />
          <NotDone
            notScanned={notScanned}
            notPrepared={trial.error}
            isTooLong={trial.data?.text === null && trial.variables?.number === rule.row.number}
          />
          <RuleFacts rule={rule}>
            <RuleKnown workspaceId={workspaceId} sha256={sha256} row={rule.row} />
          </RuleFacts>
          <RuleMutes workspaceId={workspaceId} mutes={mutes} />
          <div className={classNames(layout.fill, styles.source)}>
            <YaraSource
              label={text.source(visibleText(rule.row.name))}
              source={rule.source}
              markedLine={rule.row.broken?.line ?? null}
            />
          </div>
          {isMuting && <MuteDialog workspaceId={workspaceId} rule={rule.row.key} onClose={() => setMuting(false)} />}
        </>
      )}
    </section>
  );
}

interface RuleHeadProps {
  rule: RuleView;
  isStarting: boolean;
  onScan(): void;
  isPreparing: boolean;
  onTry(): void;
  onMute(): void;
}

function RuleHead({ rule: { row, source }, isStarting, onScan, isPreparing, onTry, onMute }: RuleHeadProps) {
  const name = visibleText(row.name);
  return (
    <header className={classNames(layout.wrapRow, styles.ruleHead)}>
      <h2 className={classNames(typography.monoHeading, styles.name)}>
        <bdi>
          <WrappedName name={name} />
        </bdi>
      </h2>
      <div className={layout.wrapRow}>
        <Button letter="S" isDisabled={isStarting || !canFind(row)} onPress={onScan}>
          <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
          <span>
            {text.scanVault} <span className={aloud.only}>{text.withRule(name)}</span>
          </span>
        </Button>
        <Button letter="Y" onPress={onTry} isDisabled={isPreparing}>
          {text.tryChange}
        </Button>
        <Button letter="M" onPress={onMute}>
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          <span>
            {text.mute} <span className={aloud.only}>{name}</span>
          </span>
        </Button>
        <CopyButton text={() => source.text} label={text.copy} />
      </div>
    </header>
  );
}

interface NotDoneProps {
  notScanned: Failure | null;
  notPrepared: Failure | null;
  /** The rule is too long to be tried. */
  isTooLong: boolean;
}

/** Why a button of the head did nothing. */
function NotDone({ notScanned, notPrepared, isTooLong }: NotDoneProps) {
  return (
    <>
      {notScanned !== null && (
        <div className={layout.inset}>
          <FailureNotice
            failure={notScanned}
            meaning={meaningOf(notScanned)}
            action={<FailureRemedy failure={notScanned} />}
          />
        </div>
      )}
      {notPrepared !== null && (
        <div className={layout.inset}>
          <FailureNotice failure={notPrepared} />
        </div>
      )}
      {isTooLong && (
        <div className={layout.inset}>
          <Notice meaning="warn" title={text.tooLongToTry} />
        </div>
      )}
    </>
  );
}

/** A private rule serves other rules, and a broken one serves none. */
const canFind = ({ isPrivate, broken }: RuleRow): boolean => !isPrivate && broken === null;

function RuleFacts({ rule: { row, warnings, meta }, children }: { rule: RuleView; children: ReactNode }) {
  const marks = modifiersOf(row);
  return (
    <div className={classNames(layout.stack8, styles.facts)}>
      <p className={classNames(typography.note, typography.anywhere)}>
        <bdi>{text.place(visibleText(row.file), row.line)}</bdi>
        {marks.length > 0 && `, ${marks.join(', ')}`}
      </p>
      {row.tags.length > 0 && (
        <ul className={classNames(layout.wrap4, styles.tags)} aria-label={text.tags}>
          {row.tags.map((tag) => (
            <li key={tag}>
              <TagChip tag={tag} />
            </li>
          ))}
        </ul>
      )}
      {row.broken !== null && (
        <Notice meaning="bad" title={text.brokenTitle}>
          {visibleText(text.brokenAt(row.broken.file, row.broken.line, row.broken.text))}
        </Notice>
      )}
      {children}
      {warnings.length > 0 && <RuleWarnings warnings={warnings} />}
      {meta.length > 0 && <RuleMeta key={`${row.number}:${row.name}`} meta={meta} />}
    </div>
  );
}

const modifiersOf = ({ isPrivate, isGlobal, asks }: RuleRow): string[] => [
  ...(isPrivate ? [text.private] : []),
  ...(isGlobal ? [text.global] : []),
  ...(asks === undefined ? [] : [text.asks(asks)]),
];

/** The source below is the main content, and contains them all. */
const shownAtFirst = 6;
const charactersShown = 200;

/** The rule's metadata, in its author's words. */
function RuleMeta({ meta }: { meta: RuleView['meta'] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? meta : meta.slice(0, shownAtFirst);
  const rest = meta.length - shown.length;
  return (
    <div>
      <dl className={typography.facts} aria-label={text.meta}>
        {shown.map(({ key, value }, at) => (
          <div key={`${at}:${key}`} className={classNames(layout.grid12, styles.fact)}>
            <dt>{visibleText(key)}</dt>
            <dd>
              <bdi>
                <LongText text={visibleText(value)} charactersShown={charactersShown} />
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 && (
        <Button size="small" look="inline" onPress={() => setWhole(true)}>
          {text.moreMeta(rest)}
        </Button>
      )}
    </div>
  );
}

/** The source is what one came for: the others are among the mutes. */
const mutesShownAtMost = 2;
/** As many digits as tables show. */
const shortHash = 12;

/** How the rule is muted, and the way to it. */
function RuleMutes({ workspaceId, mutes }: { workspaceId: string; mutes: readonly Mute[] }) {
  const { openPublications } = useNavigation();
  const [, note] = usePublicationsPlace(workspaceId);
  if (mutes.length === 0) return null;
  const rest = mutes.length - mutesShownAtMost;
  const show = (mute: Mute): void => {
    note({ mute: mute.id });
    openPublications('mutes');
  };
  return (
    <ul className={classNames(layout.bottom, styles.mutes)}>
      {mutes.slice(0, mutesShownAtMost).map((mute) => (
        <li
          key={mute.id}
          className={classNames(
            layout.row8,
            typography.note,
            styles.muteLine,
            mute.ruleNow === 'changed' && styles.warn,
          )}
        >
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          <span className={typography.cut}>
            {wordsOf(mute)}: <bdi>{visibleText(mute.reason)}</bdi>
          </span>
          <Button size="small" look="inline" onPress={() => show(mute)}>
            {text.showMute}
          </Button>
        </li>
      ))}
      {rest > 0 && (
        <li className={classNames(layout.row8, typography.note, styles.muteLine)}>{text.moreMutes(rest)}</li>
      )}
    </ul>
  );
}

function wordsOf({ sample, expires, ruleNow }: Mute): string {
  return [
    sample === null ? text.mutedEverywhere : text.mutedFor(sample.slice(0, shortHash)),
    ...(expires === null ? [] : [text.until(formatMinute(new Date(expires)))]),
    ...(ruleNow === 'changed' ? [text.changedSince] : []),
  ].join(', ');
}

const warningsShownAtMost = 8;

/** What is warned of in a rule that works, by line. */
function RuleWarnings({ warnings }: { warnings: readonly RuleWarning[] }) {
  const rest = warnings.length - warningsShownAtMost;
  return (
    <div className={styles.warnings}>
      <p className={classNames(layout.row6, styles.warningsTitle)}>
        <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.warningsTitle(warnings.length)}
      </p>
      <ul aria-label={text.warningsTitle(warnings.length)}>
        {warnings.slice(0, warningsShownAtMost).map((warning) => (
          <li key={`${warning.line}:${warning.code}:${warning.text}`}>
            <bdi>{visibleText(text.warningAt(warning.line, warning.text))}</bdi>{' '}
            <code>{visibleText(warning.code)}</code>
          </li>
        ))}
        {rest > 0 && <li>{text.moreWarnings(rest)}</li>}
      </ul>
    </div>
  );
}
