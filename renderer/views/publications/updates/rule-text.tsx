import type { RefObject } from 'react';
import type { DifferenceRow, RuleDifference } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { useLate } from '../../../components/use-late.ts';
import { YaraSource } from '../../../components/yara/yara-source.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { nameOf } from './change-row.tsx';
import { DiffText, type DiffLook } from './diff-text.tsx';
import { text } from './text.ts';
import styles from './compare.module.css';
import panes from './updates.module.css';
import { useUpdatesDesk } from './updates-desk.tsx';
import type { Comparison } from './use-comparison.ts';
import { type OpenedLine, useOpenedText } from './use-opened-text.ts';

const longestFile = 80;
const longestWords = 400;
const shownFile = (file: string): string => visibleText(cutMiddle(file, longestFile));

export interface RuleTextProps {
  comparison: Comparison;
  row: DifferenceRow;
  /** False: another one is on its way, and this one is not asked for any more. */
  isWanted: boolean;
  opened: OpenedLine | null;
  /** Where it is drawn. */
  within: RefObject<HTMLElement | null>;
  look: DiffLook;
}

/** The text of a rule in both packages. It is asked for when it is shown, and never changes. */
export function RuleText({
  comparison: { workspaceId, from, to, index },
  row,
  isWanted,
  opened,
  within,
  look,
}: RuleTextProps) {
  const hasText = row.old !== null || row.new !== null;
  const { data, error } = useOperation(
    'publications.ruleDifference',
    { workspaceId, from, to, old: row.old, new: row.new },
    { enabled: isWanted && hasText, staleTime: Number.POSITIVE_INFINITY },
  );
  useOpenedText(within, { opened, index, isShown: isWanted && data !== undefined });
  const isLate = useLate(hasText && data === undefined && error === null);
  return (
    <>
      <About row={row} hasText={hasText} />
      {isWanted && row.broken?.kind === 'engine' && row.new !== null && (
        <EngineWords workspaceId={workspaceId} sha256={to} number={row.new} />
      )}
      {error !== null && (
        <div className={panes.toldIn}>
          <ReadFailure failure={error} of="publications.ruleDifference" />
        </div>
      )}
      {isLate && (
        <p className={classNames(typography.note, layout.inset)} role="status">
          {text.loadingRule}
        </p>
      )}
      {data !== undefined && <Shown row={row} difference={data} look={look} />}
    </>
  );
}

/** What the text itself does not say. */
function About({ row: { kind, file, movedFrom, broken }, hasText }: { row: DifferenceRow; hasText: boolean }) {
  return (
    <>
      {kind === 'moved' && movedFrom !== null && (
        <p className={classNames(typography.note, styles.about)}>
          <bdi>{text.onlyMoved(shownFile(movedFrom), shownFile(file))}</bdi>
        </p>
      )}
      {broken !== null && (
        <p className={classNames(typography.note, styles.about)}>
          <bdi>
            {text.brokenInPlace(
              text.lineOf(shownFile(broken.file), broken.line),
              visibleText(cutMiddle(broken.text === '' ? text.brokenKinds[broken.kind] : broken.text, longestWords)),
            )}
          </bdi>
        </p>
      )}
      {!hasText && <p className={classNames(typography.note, layout.inset)}>{text.noSource}</p>}
    </>
  );
}

/** The whole message of the engine, which it gives again when it is asked: it quotes the rule, so nobody keeps it. */
function EngineWords({ workspaceId, sha256, number }: { workspaceId: string; sha256: string; number: number }) {
  const { show } = useUpdatesDesk();
  const { data, error } = useOperation('publications.explain', { workspaceId, sha256, number });
  if (error !== null)
    return (
      <div className={panes.toldIn}>
        <ReadFailure failure={error} of="publications.explain" />
      </div>
    );
  if (data === undefined || data.text === null) return null;
  return (
    <div className={classNames(typography.note, styles.engineWords)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <pre tabIndex={0} aria-label={text.engineWords}>
        {visibleText(data.text)}
      </pre>
      {data.isRelaxable && (
        <p>
          {text.strictThen}{' '}
          <Button size="small" look="inline" onPress={() => show('settings')}>
            {text.openUpdateSettings}
          </Button>
        </p>
      )}
    </div>
  );
}

/** A broken rule that nobody had before is shown as it is, with the line that is broken marked. */
function Shown({ row, difference, look }: { row: DifferenceRow; difference: RuleDifference; look: DiffLook }) {
  const { old, new: next } = difference;
  if (row.kind === 'broken' && old === null && next !== null)
    return <YaraSource label={text.source(nameOf(row))} source={next} markedLine={row.broken?.line ?? null} />;
  const isSideBySide = look.isSideBySide && old !== null && next !== null;
  return (
    <DiffText
      key={`${row.old} ${row.new} ${isSideBySide} ${look.wrapsLines}`}
      label={text.ruleDiff(nameOf(row))}
      difference={difference}
      look={{ ...look, isSideBySide }}
    />
  );
}
