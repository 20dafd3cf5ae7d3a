import { ScanSearch, VolumeX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import type { RuleRow, RuleView } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { MuteDialog } from '../../../app/mutes/mute-dialog.tsx';
import type { ChosenRule } from '../../../app/publications/publications-place.tsx';
import { FailureRemedy, meaningOf } from '../../../app/failure-remedy.tsx';
import { useStartScan } from '../../../app/scans/use-start-scan.ts';
import { useAction } from '../../../bridge/use-action.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TagChip } from '../../../components/tag-chip.tsx';
import { YaraSource } from '../../../components/yara/yara-source.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { WrappedName } from '../updates/change-row.tsx';
import { RuleKnown } from './rule-known.tsx';
import { RuleMeta } from './rule-meta.tsx';
import { RuleMutes } from './rule-mutes.tsx';
import { RuleWarnings } from './rule-warnings.tsx';
import styles from './rules.module.css';
import { text } from './text.ts';

export interface RulePaneProps {
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

/** A private rule is there for others, and a broken one for nobody. */
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
