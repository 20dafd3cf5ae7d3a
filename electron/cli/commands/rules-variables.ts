import type { RuleOptions } from '../../../shared/domain/publication.ts';
import { readVariables, type RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { newsOf } from '../news.ts';
import { type Column, Records } from '../records.ts';
import { wrongUsage } from '../usage-error.ts';

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
  if (variables.length === 0) run.terminal.say('No variables. Define one: vitrine rules variables NAME=VALUE');
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
  const news = await newsOf(await run.door(), 'publications.changed', (one) => one.workspaceId === workspaceId);
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
      run.terminal.say(
        `The active package was compiled again: ${counted(contents.rules, 'rule')}, ${many(contents.broken)} broken`,
      );
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}
