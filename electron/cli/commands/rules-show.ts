import {
  type ListedRule,
  type PackageView,
  type PublicationsState,
  type RuleCost,
  type RuleSort,
  sortByPlace,
} from '../../../shared/domain/publication.ts';
import { readRuleQuery, ruleQuerySentence } from '../../../shared/domain/rule-query.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { suggestion } from '../nearest-word.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { shownTime } from '../shown-time.ts';
import { inUsage, wrongUsage } from '../usage-error.ts';

interface Listed {
  one: PackageView;
  standing: 'active' | 'candidate' | 'kept';
  isPinned: boolean;
}

const packageColumns: readonly Column<Listed>[] = [
  { head: 'STATUS', value: ({ standing }) => standing, isOwn: true },
  { head: 'VERSION', value: ({ one }) => one.version, cut: 'text', isMain: true, isOwn: true },
  { head: 'GROUP', value: ({ one }) => one.group, cut: 'text' },
  { head: 'RECEIVED', value: ({ one }) => shownTime(one.received), isOwn: true },
  { head: 'RULES', value: ({ one }) => one.contents?.rules ?? null, align: 'right' },
  { head: 'BROKEN', value: ({ one }) => one.contents?.broken ?? null, align: 'right' },
  {
    head: 'SHA-256',
    value: ({ one }) => one.sha256,
    text: ({ one }) => one.sha256.slice(0, 12),
    cut: 'hash',
    isOwn: true,
  },
  {
    head: 'DETAILS',
    value: ({ one, isPinned }) =>
      [...(isPinned ? ['pinned'] : []), ...(one.failure === null ? [] : [reasonOf(one.failure)])].join('; '),
    cut: 'text',
    isOwn: true,
  },
];

/** Stored packages, newest first. */
export async function listPackages({ terminal }: CommandRun, state: PublicationsState): Promise<ExitCode> {
  if (state.packages.length === 0) terminal.say('No rule packages. Fetch one: vitrine rules check');
  const records = new Records(terminal, packageColumns);
  for (const one of state.packages) {
    const [standing, isPinned] = [standingOf(state, one), state.pinned === one.sha256];
    await (terminal.isJson ? terminal.json({ ...one, standing, isPinned }) : records.add({ one, standing, isPinned }));
  }
  if (!terminal.isJson) await records.end();
  return exitCodes.done;
}

function standingOf(
  { active, candidate }: PublicationsState,
  { sha256 }: PackageView,
): 'active' | 'candidate' | 'kept' {
  if (sha256 === active) return 'active';
  return sha256 === candidate ? 'candidate' : 'kept';
}

const rulesACall = 500;

/**
 * Rules of the active package that a query finds, a row each. @throws UsageError,
 * FailureError `no-package`
 */
export async function listRules(run: CommandRun, workspaceId: string, find: string, sort: RuleSort): Promise<ExitCode> {
  const read = readRuleQuery(find);
  if (read.kind === 'problem') {
    const { what, example } = ruleQuerySentence(read.problem);
    wrongUsage(`${inUsage(what)} For example: ${example}`);
  }
  let [shown, total] = [0, 0];
  const records = new Records(run.terminal, ruleColumns);
  do {
    const page = await run.ask('publications.rules', {
      workspaceId,
      find,
      sort,
      columns: [],
      offset: shown,
      limit: rulesACall,
    });
    for (const row of page.rows) await (run.terminal.isJson ? run.terminal.json(row) : records.add(row));
    shown += page.rows.length;
    total = page.rows.length === 0 ? shown : page.total;
  } while (shown < total);
  if (!run.terminal.isJson) await records.end();
  run.terminal.say(shown === 1 ? '1 rule' : `${shown.toLocaleString('en')} rules`);
  return exitCodes.done;
}

export const ruleSorts: Readonly<Record<string, RuleSort>> = {
  place: sortByPlace,
  name: { by: { column: 'name' }, direction: 'ascending' },
  hits: { by: { column: 'hits' }, direction: 'descending' },
  cost: { by: { column: 'cost' }, direction: 'descending' },
};

const costWords = ({ msPerMegabyte, together }: RuleCost): string =>
  `${together > 1 ? 'at most ' : ''}${msPerMegabyte.toLocaleString('en', { maximumFractionDigits: 2 })} ms per MB`;

const ruleColumns: readonly Column<ListedRule>[] = [
  { head: 'RULE', value: ({ key }) => key, cut: 'text', isMain: true, isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isOwn: true },
  { head: 'LINE', value: ({ line }) => line, text: ({ line }) => String(line), align: 'right' },
  { head: 'HITS', value: ({ hits }) => hits, align: 'right' },
  { head: 'COST', value: ({ cost }) => (cost === null ? null : costWords(cost)), align: 'right' },
  {
    head: 'STATUS',
    value: ({ isMuted, broken }) => [...(isMuted ? ['muted'] : []), ...(broken === null ? [] : ['broken'])].join(', '),
    isOwn: true,
  },
  { head: 'REASON', value: ({ broken }) => broken?.text ?? null, cut: 'text', isOwn: true },
];

/**
 * A rule of the active package by its key, as it is written there. @throws FailureError `no-package`
 */
export async function showRule(run: CommandRun, workspaceId: string, name: string): Promise<ExitCode> {
  const { rows } = await run.ask('publications.ruleNames', { workspaceId, find: name, limit: 100 });
  const row = rows.find((one) => one.key === name);
  if (row === undefined) {
    const near = suggestion(
      name,
      rows.map(({ key }) => key),
    );
    run.terminal.complain(visibleLine(`The active package has no rule "${name}"${near}`));
    return exitCodes.notFound;
  }
  const { sha256 } = await run.ask('publications.rules', {
    workspaceId,
    find: '',
    sort: sortByPlace,
    columns: [],
    offset: 0,
    limit: 1,
  });
  const view = await run.ask('publications.rule', { workspaceId, sha256, number: row.number });
  if (run.terminal.isData) await run.terminal.value(view);
  else
    for (const line of visibleText(view.source.text).split('\n'))
      await run.terminal.line(line.replaceAll('\t', '    '));
  if (view.source.isCut) run.terminal.say(`Cut off: the rule has ${view.source.lines.toLocaleString('en')} lines.`);
  return exitCodes.done;
}
