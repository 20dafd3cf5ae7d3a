import { FlaskConical, Package } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import type { PackageView, RuleRow, RuleSort } from '../../../../shared/domain/publication.ts';
import { readRuleQuery, type RuleQueryProblem } from '../../../../shared/domain/rule-query.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { EmptyState, NoneFound } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { focusIn } from '../../../components/focus-in.ts';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useLetterButtons } from '../../../keyboard/view-keys.ts';
import { type RuleLayout, RuleLayouts } from '../../../memory/layouts.ts';
import { useNavigation } from '../../../state/navigation.tsx';
import { useRested, useRestedFind } from '../../../state/pacing.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { useMutes } from '../mutes/mutes-tab.tsx';
import { ColumnsMenu, metaKeysIn } from './rule-columns.tsx';
import { MeasureButton, PackageCosts } from './rule-costs.tsx';
import { RuleList, RuleQueryField, type RuleWindow, useRuleWindows } from './rule-list.tsx';
import { RulePane } from './rule-pane.tsx';
import styles from './rules.module.css';
import { text } from './strings.ts';
import { TryPane } from './try-pane.tsx';

/** A held key passes rules without reading them. */
const showRestMs = 120;

/** The rules of the active package, to be found and read. */
export function RulesTab({ workspaceId }: { workspaceId: string }) {
  const { data: state, error } = useOperation('publications.state', { workspaceId });
  if (state === undefined)
    return (
      error !== null && (
        <div className={layout.inset}>
          <ReadFailure failure={error} of="publications.state" />
        </div>
      )
    );
  const active = state.packages.find(({ sha256 }) => sha256 === state.active);
  return active === undefined ? <NoRules /> : <RulesOf key={workspaceId} workspaceId={workspaceId} active={active} />;
}

function RulesOf({ workspaceId, active }: { workspaceId: string; active: PackageView }) {
  const view = useRef<HTMLDivElement>(null);
  const [notMeasured, setNotMeasured] = useState<Failure | null>(null);
  const list = useListedRules(workspaceId, active);
  const { place, note, windows, mutes } = list;
  const shown = useRested(place.chosen, showRestMs) ?? place.chosen;
  const toList = (): void => void focusIn(view.current, '[role=grid] [tabindex="0"]');
  // The button that does it goes with its reason.
  const showAll = (): void => {
    focusIn(view.current, '[data-query]');
    note({ find: '' });
  };
  const onLetter = useLetterButtons(view);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && isInRule(view.current, event.target)) toList();
    else onLetter(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={classNames(layout.panes, styles.panes)} onKeyDown={onKeyDown}>
      <section className={classNames(layout.pane, styles.list)} data-pane aria-label={text.list}>
        <RulesHead list={list} onDown={toList} onNotMeasured={setNotMeasured} />
        <PackageCosts
          workspaceId={workspaceId}
          sha256={active.sha256}
          notStarted={notMeasured}
          onShowSlowest={list.showSlowest}
        />
        {windows.failure && (
          <div className={layout.inset}>
            <ReadFailure failure={windows.failure} of="publications.rules" />
          </div>
        )}
        {windows.total === 0 ? (
          <NoneFound
            title={text.noneTitle}
            sentence={text.noneSentence(visibleText(list.asked))}
            showAll={text.showAll}
            onShowAll={showAll}
          />
        ) : (
          <FoundRules list={list} onOpen={() => focusIn(view.current, '[data-source]')} />
        )}
      </section>
      {place.trial !== null && (
        <TryPane
          key={place.trial.source}
          workspaceId={workspaceId}
          source={place.trial.source}
          onClose={() => note({ trial: null })}
        />
      )}
      {place.trial === null && shown !== null && (
        <RulePane
          onTry={(source) => note({ trial: { source } })}
          workspaceId={workspaceId}
          chosen={shown}
          mutes={mutes.filter(({ rule, hasExpired }) => rule === shown.name && !hasExpired)}
        />
      )}
    </div>
  );
}

type ListedRules = ReturnType<typeof useListedRules>;

/** The rules that the search finds, how their list is arranged, and which of them is chosen. */
function useListedRules(workspaceId: string, active: PackageView) {
  const [place, note] = usePublicationsPlace(workspaceId);
  const { find, chosen, ruleSort, ruleColumns } = place;
  const keepLayout = useKeptLayout(workspaceId, (kept) => note({ ruleSort: kept.sort, ruleColumns: kept.columns }));
  const { asked, problem } = useReadableQuery(find);
  const columns = useMemo(() => metaKeysIn(ruleColumns), [ruleColumns]);
  const windows = useRuleWindows(workspaceId, { find: asked, sort: ruleSort, columns });
  const mutes = useMutes(workspaceId);
  const first = windows.windowAt(0);
  useEffect(() => {
    if (first === undefined || first.sha256 !== active.sha256 || chosen?.sha256 === active.sha256) return;
    const row = rowFor(first, chosen?.name ?? null, find.trim());
    if (row !== null) note({ chosen: { sha256: first.sha256, number: row.number, name: row.key } });
  });
  const choose = ({ number, key }: RuleRow): void =>
    note({ trial: null, chosen: { sha256: first?.sha256 ?? active.sha256, number, name: key } });
  /** In another package the rule that was read is looked for by its name instead. */
  const chooseInstead = (row: RuleRow): void => {
    if (chosen?.sha256 === first?.sha256) choose(row);
  };
  const arrange = (change: { ruleSort?: RuleSort; ruleColumns?: readonly string[] }): void => {
    note(change);
    keepLayout({ sort: change.ruleSort ?? ruleSort, columns: [...(change.ruleColumns ?? ruleColumns)] });
  };
  const showSlowest = (): void => {
    note({ find: '' });
    arrange({
      ruleSort: { by: { column: 'cost' }, direction: 'descending' },
      ruleColumns: ruleColumns.includes('cost') ? ruleColumns : [...ruleColumns, 'cost'],
    });
  };
  return {
    workspaceId,
    active,
    place,
    note,
    asked,
    problem,
    windows,
    mutes,
    choose,
    chooseInstead,
    arrange,
    showSlowest,
  };
}

interface RulesHeadProps {
  list: ListedRules;
  onDown(): void;
  onNotMeasured(failure: Failure | null): void;
}

function RulesHead({ list, onDown, onNotMeasured }: RulesHeadProps) {
  const { workspaceId, active, place, note, asked, windows, arrange } = list;
  return (
    <header className={classNames(layout.wrapRow, layout.top, styles.listHead)}>
      <RuleQueryField
        value={place.find}
        problem={list.problem}
        shown={asked}
        onChange={(next) => note({ find: next })}
        onDown={onDown}
      />
      <IconButton label={text.tryRule} onPress={() => note({ trial: { source: null } })}>
        <FlaskConical size={14} strokeWidth={1.6} aria-hidden="true" />
      </IconButton>
      <ColumnsMenu
        columns={place.ruleColumns}
        metaKeys={windows.newest?.metaKeys ?? []}
        onChange={(next) => arrange({ ruleColumns: next })}
      />
      <MeasureButton workspaceId={workspaceId} onFailed={onNotMeasured} />
      <p className={classNames(typography.note, layout.fixed)} role="status" data-figures>
        {windows.total !== null &&
          (asked === ''
            ? text.line(active.contents?.rules ?? 0, mutedRules(list.mutes), active.contents?.broken ?? 0)
            : text.found(windows.total))}
      </p>
    </header>
  );
}

function FoundRules({ list, onOpen }: { list: ListedRules; onOpen(): void }) {
  const { active, place, windows } = list;
  return (
    <RuleList
      windows={windows}
      columns={place.ruleColumns}
      sort={place.ruleSort}
      onSort={(next) => list.arrange({ ruleSort: next })}
      chosen={place.chosen?.sha256 === active.sha256 ? place.chosen.number : null}
      onChoose={list.choose}
      onReplaced={list.chooseInstead}
      onOpen={onOpen}
      memory={place.rules}
    />
  );
}

/** How many rules of the package are muted now. */
const mutedRules = (mutes: readonly Mute[]): number =>
  new Set(mutes.filter(({ hasExpired, ruleNow }) => !hasExpired && ruleNow !== 'gone').map(({ rule }) => rule)).size;

const layouts = new RuleLayouts();

/**
 * Reports the previous arrangement of the list. A change made before that is known stays.
 *
 * @returns a function that stores an arrangement
 */
function useKeptLayout(workspaceId: string, onRead: (kept: RuleLayout) => void): (layout: RuleLayout) => void {
  const isChanged = useRef(false);
  const report = useEffectEvent(onRead);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const kept = await layouts.read(workspaceId);
      if (kept !== null && !isChanged.current) report(kept);
    };
    void read();
  }, [workspaceId]);
  return (changed) => {
    isChanged.current = true;
    void layouts.keep(workspaceId, changed);
  };
}

/** What is searched for: the last text that could be read. */
function useReadableQuery(find: string): { asked: string; problem: RuleQueryProblem | null } {
  const rested = useRestedFind(find);
  const read = useMemo(() => readRuleQuery(rested), [rested]);
  const [asked, ask] = useState(read.kind === 'terms' ? rested : '');
  if (read.kind === 'terms' && asked !== rested) ask(rested);
  return { asked, problem: read.kind === 'problem' ? read.problem : null };
}

/** The rule that was read, in another package or as it was asked for by its name; else the first. */
function rowFor(
  { rows, find: answered }: RuleWindow,
  before: string | null,
  find: string,
): RuleWindow['rows'][number] | null {
  // What is shown may still be what another search found.
  if (before === null && answered !== find) return null;
  return rows.find(({ key }) => key === (before ?? find)) ?? rows[0] ?? null;
}

function NoRules() {
  const { openPublications } = useNavigation();
  return (
    <EmptyState
      icon={<Package size={20} strokeWidth={1.6} />}
      title={text.emptyTitle}
      sentence={text.emptySentence}
      action={
        <Button look="primary" onPress={() => openPublications('updates')}>
          {text.emptyAction}
        </Button>
      }
    />
  );
}

/** What floats above it is inside by its events, and not by its place. */
const isInRule = (view: HTMLElement | null, target: EventTarget): boolean =>
  target instanceof HTMLElement && view?.contains(target) === true && target.closest('[data-rule]') !== null;
