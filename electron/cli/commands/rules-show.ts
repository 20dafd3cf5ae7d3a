import {
  type ListedRule,
  type PackageView,
  type PublicationsState,
  type RuleCost,
  type RuleOptions,
  type RuleSort,
  sortByPlace,
} from '../../../shared/domain/publication.ts';
import { readRuleQuery, ruleQuerySentence } from '../../../shared/domain/rule-query.ts';
import { readVariables, type RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { FailureError } from '../../../shared/failure.ts';
import { newsOf } from '../client.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, inUsage, wrongUsage } from '../exit.ts';
import { suggestion } from '../nearest-word.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records, shownTime } from '../records.ts';

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
  if (state.packages.length === 0) terminal.print('No rule packages. Fetch one: vitrine rules check');
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
  run.terminal.print(shown === 1 ? '1 rule' : `${shown.toLocaleString('en')} rules`);
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
  if (view.source.isCut) run.terminal.print(`Cut off: the rule has ${view.source.lines.toLocaleString('en')} lines.`);
  return exitCodes.done;
}

const variableName = /^[A-Za-z_]\w*$/;

/** Lists the variables of a workspace, or sets those of the lines and takes away those of the names. */
export async function ruleVariables(
  run: CommandRun,
  lines: readonly string[],
  removed: readonly string[],
): Promise<ExitCode> {
  for (const line of lines) if (!line.includes('=')) wrongUsage(`${line}: give NAME=VALUE`);
  const workspaceId = await run.workspaceId();
  const { options } = await run.ask('publications.state', { workspaceId });
  const variables = changed(options, lines, removed);
  if (lines.length + removed.length > 0) await store(run, workspaceId, { ...options, variables });
  const records = new Records(run.terminal, columns);
  for (const one of variables) {
    await (run.terminal.isJson ? run.terminal.json(one) : records.add(one));
  }
  if (!run.terminal.isJson) await records.end();
  if (variables.length === 0) run.terminal.print('No variables. Define one: vitrine rules variables NAME=VALUE');
  return exitCodes.done;
}

const columns: readonly Column<RuleVariable>[] = [
  { head: 'NAME', value: ({ name }) => name, cut: 'text', isMain: true, isOwn: true },
  { head: 'TYPE', value: ({ type }) => type, isOwn: true },
  { head: 'VALUE', value: ({ value }) => String(value), cut: 'text', isOwn: true },
];

function changed({ variables }: RuleOptions, lines: readonly string[], removed: readonly string[]): RuleVariable[] {
  const set = lines.map((line) => {
    const read = readVariables(line);
    const [name = ''] = line.split('=');
    if (!variableName.test(name.trim()))
      return wrongUsage(`${name}: a name has letters, digits and underscores, and does not start with a digit`);
    if (!read.ok) return wrongUsage(`${line}: ${read.problem}`);
    return read.variables[0] ?? wrongUsage('give NAME=VALUE');
  });
  for (const name of removed)
    if (!variables.some((one) => one.name === name)) wrongUsage(`there is no variable ${name}`);
  const replaced = new Set([...removed, ...set.map(({ name }) => name)]);
  return [...variables.filter(({ name }) => !replaced.has(name)), ...set];
}

/**
 * Where packages are compiled again for it, it waits: the host may end with the command. @throws FailureError why they
 * could not be
 */
async function store(run: CommandRun, workspaceId: string, options: RuleOptions): Promise<void> {
  const news = await newsOf(await run.client(), 'publications.changed', (one) => one.workspaceId === workspaceId);
  try {
    const before = await run.ask('publications.setOptions', { workspaceId, options, password: { kind: 'keep' } });
    let state = before;
    while (state.check !== null) {
      run.terminal.progress('Compiling rules again');
      await news.next(run.signal);
      state = await run.ask('publications.state', { workspaceId });
    }
    if (before.check === null) return;
    const { failure } =
      state.lastCheck?.at === before.lastCheck?.at ? { failure: null } : (state.lastCheck ?? { failure: null });
    if (failure !== null) throw new FailureError(failure);
    const contents = state.packages.find(({ sha256 }) => sha256 === state.active)?.contents;
    if (contents)
      run.terminal.print(
        `The active package was compiled again: ${counted(contents.rules, 'rule')}, ${many(contents.broken)} broken`,
      );
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}
