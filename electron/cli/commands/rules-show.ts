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
import { fail } from '../../../shared/failure-error.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { wrongUsage } from '../usage-error.ts';

const heads = ['STATUS', 'VERSION', 'GROUP', 'RECEIVED', 'RULES', 'SHA-256', ''];

/**
 * Packages that are kept here, newest first: for a person in columns with heads, else a line each, two spaces between
 * the values.
 */
export async function listPackages({ terminal }: CommandRun, state: PublicationsState): Promise<ExitCode> {
  if (state.packages.length === 0) terminal.say('No rule packages here. Get one: vitrine rules check');
  if (terminal.isJson)
    for (const one of state.packages)
      await terminal.json({ ...one, standing: standingOf(state, one), isPinned: state.pinned === one.sha256 });
  else if (state.packages.length > 0) {
    const rows = state.packages.map((one) => cellsOf(state, one));
    for (const line of terminal.isPerson
      ? inColumns([heads, ...rows])
      : rows.map((cells) => cells.join('  ').trimEnd()))
      await terminal.line(line);
  }
  return exitCodes.done;
}

function cellsOf(state: PublicationsState, one: PackageView): string[] {
  const counts = one.contents
    ? `${one.contents.rules} rules${one.contents.broken === 0 ? '' : `, ${one.contents.broken} broken`}`
    : 'cannot be opened';
  const cells = [
    standingOf(state, one).padEnd(9),
    one.version,
    one.group ?? '-',
    one.received.slice(0, 10),
    counts,
    one.sha256.slice(0, 12),
    state.pinned === one.sha256 ? 'pinned' : '',
  ];
  return cells.map(visibleLine);
}

/** Each column as wide as its longest value. */
function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
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
 * Rules of the active package that a search finds, as the field of the page reads it: a line each. @throws UsageError,
 * FailureError `no-package`
 */
export async function listRules(run: CommandRun, workspaceId: string, find: string, sort: RuleSort): Promise<ExitCode> {
  const read = readRuleQuery(find);
  if (read.kind === 'problem') {
    const { what, example } = ruleQuerySentence(read.problem);
    wrongUsage(`${what} For example: ${example}`);
  }
  let [shown, total] = [0, 0];
  do {
    const page = await run.ask('publications.rules', {
      workspaceId,
      find,
      sort,
      columns: [],
      offset: shown,
      limit: rulesACall,
    });
    for (const row of page.rows)
      await (run.terminal.isJson ? run.terminal.json(row) : run.terminal.line(visibleLine(ruleLine(row))));
    shown += page.rows.length;
    total = page.rows.length === 0 ? shown : page.total;
  } while (shown < total);
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

function ruleLine({ key, file, line, hits, cost, isMuted, broken }: ListedRule): string {
  const marks = [
    ...(cost === null ? [] : [costWords(cost)]),
    ...(hits > 0 ? [hits === 1 ? '1 sample hit' : `${hits} samples hit`] : []),
    ...(isMuted ? ['muted'] : []),
    ...(broken === null ? [] : ['broken']),
  ];
  return [key, `${file}:${line}`, ...(marks.length > 0 ? [marks.join(', ')] : [])].join('  ');
}

/**
 * A rule of the active package by its key, as it is written there. @throws FailureError `rule-missing`, `no-package`
 */
export async function showRule(run: CommandRun, workspaceId: string, name: string): Promise<ExitCode> {
  const { rows } = await run.ask('publications.ruleNames', { workspaceId, find: name, limit: 100 });
  const row = rows.find((one) => one.key === name) ?? fail({ kind: 'rule-missing', name });
  const { sha256 } = await run.ask('publications.rules', {
    workspaceId,
    find: '',
    sort: sortByPlace,
    columns: [],
    offset: 0,
    limit: 1,
  });
  const view = await run.ask('publications.rule', { workspaceId, sha256, number: row.number });
  if (run.terminal.isJson) await run.terminal.json(view);
  else
    for (const line of visibleText(view.source.text).split('\n'))
      await run.terminal.line(line.replaceAll('\t', '    '));
  if (view.source.isCut)
    run.terminal.say(`The rule is longer: it has ${view.source.lines.toLocaleString('en')} lines.`);
  return exitCodes.done;
}
