import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail, FailureError } from '../../../shared/failure-error.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { isGiven, textOf, textsOf } from '../option-values.ts';
import { countsWords, differenceTo, earlierPackage, packageNamed, packageOf } from '../rule-packages.ts';
import { wrongUsage } from '../usage-error.ts';
import { checked, rowLine, showChecked, showOpened, untilRested } from './rules-check.ts';
import { diffPackages } from './rules-diff.ts';
import { openedFiles } from './rules-install.ts';
import { listPackages, listRules, ruleSorts, showRule } from './rules-show.ts';
import { tryPackage } from './rules-try.ts';
import { ruleVariables } from './rules-variables.ts';

export const rules: Command = {
  name: 'rules',
  summary: 'check for rule packages, install them, go back',
  usage: `vitrine rules check            ask for the newest publication, and show what it would change
vitrine rules update           make it the active package; checks first where none was fetched
vitrine rules install PATH…    make rule files, ZIPs and folders the active package
vitrine rules rollback [VERSION]
vitrine rules remove PACKAGE   a candidate, or one that is kept: by its version or SHA-256
vitrine rules list             packages that are kept here
vitrine rules list --query Q   rules of the active package that a search finds
vitrine rules show RULE        a rule of the active package
vitrine rules diff [[FROM] TO] what differs; from the active package to the one that waits
vitrine rules try VERSION PATH…
                               what its new and changed rules would newly hit in known-good files
vitrine rules relaxed on|off   take regular expressions as YARA 4 does
vitrine rules variables [NAME=VALUE…] [--remove NAME]
                               variables that rules may ask for: list, set or remove them

  --if-clean          update, install: not where a rule in it is broken
  --yes               update, install: also where more than a fifth of the rules would go
  --preview           install: only show what it would change, and keep it as a candidate
  --convert           install: convert files in Latin-1, or in UTF-16 without a mark, to UTF-8
  --version-name V    install: what its version is called
  --query QUERY       list: a search such as 'tag:apt meta.score:>70 -is:muted'; '' lists all rules
  --sort ORDER        list --query: place (default), name, hits or cost; hits and cost begin with the most
  --format FORMAT     diff: patch (as git apply takes it) or json
  --fail-on-hit       try: end with 8 where a rule would newly hit
  --remove NAME       variables: this one; it may be given more than once`,
  options: {
    'if-clean': { type: 'boolean' },
    yes: { type: 'boolean' },
    preview: { type: 'boolean' },
    convert: { type: 'boolean' },
    'version-name': { type: 'string' },
    query: { type: 'string' },
    sort: { type: 'string' },
    format: { type: 'string' },
    'fail-on-hit': { type: 'boolean' },
    remove: { type: 'string', multiple: true },
  },
  words: {
    check: { options: [], most: 0 },
    update: { options: ['if-clean', 'yes'], most: 0 },
    install: { options: ['if-clean', 'yes', 'preview', 'convert', 'version-name'], most: Infinity },
    rollback: { options: [], most: 1 },
    remove: { options: [], most: 1 },
    list: { options: ['query', 'sort'], most: 0 },
    show: { options: [], most: 1 },
    diff: { options: ['format'], most: 2 },
    try: { options: ['fail-on-hit'], most: Infinity },
    relaxed: { options: [], most: 1 },
    variables: { options: ['remove'], most: 50 },
  },
  run: async (run) => {
    const [verb, named, ...others] = run.args;
    switch (verb) {
      case 'check':
        return check(run);
      case 'update':
        return update(run);
      case 'install':
        return install(run, named === undefined ? [] : [named, ...others]);
      case 'rollback':
        return rollback(run, named);
      case 'remove':
        return remove(run, named ?? wrongUsage('name the package to remove, as rules list shows it'));
      case 'list':
        return list(run);
      case 'show':
        return showRule(run, await run.workspaceId(), named ?? wrongUsage('name the rule to show'));
      case 'diff':
        return diffPackages(run, await stateOf(run), run.args.slice(1));
      case 'try':
        return tryPackage(run, await stateOf(run), run.args.slice(1));
      case 'relaxed':
        return setRelaxed(run, named);
      case 'variables':
        return ruleVariables(run, run.args.slice(1), textsOf(run.options, 'remove'));
      default:
        return wrongUsage(
          'rules check, update, install, rollback, remove, list, show, diff, try, relaxed or variables',
        );
    }
  },
};

const stateOf = async (run: CommandRun): Promise<PublicationsState> =>
  run.ask('publications.state', { workspaceId: await run.workspaceId() });

async function list(run: CommandRun): Promise<ExitCode> {
  const query = textOf(run.options, 'query');
  const sort =
    ruleSorts[textOf(run.options, 'sort') ?? 'place'] ??
    wrongUsage(`--sort is one of ${Object.keys(ruleSorts).join(', ')}`);
  if (query !== null) return listRules(run, await run.workspaceId(), query, sort);
  if (textOf(run.options, 'sort') !== null)
    wrongUsage("--sort orders rules: add --query, such as --query '' for all of them");
  return listPackages(run, await stateOf(run));
}

/** Packages that are here are compiled again by whoever keeps the data open: the next look at them waits for that. */
async function setRelaxed(run: CommandRun, named: string | undefined): Promise<ExitCode> {
  if (named !== 'on' && named !== 'off') wrongUsage('relaxed is on or off');
  const { workspaceId, options } = await stateOf(run);
  await run.ask('publications.setOptions', {
    workspaceId,
    options: { ...options, relaxed: named === 'on' },
    password: { kind: 'keep' },
  });
  const state = await untilRested(run, workspaceId);
  const active = packageOf(state, state.active);
  if (run.terminal.isJson) await run.terminal.json({ relaxed: state.options.relaxed, active });
  else
    await run.terminal.line(
      visibleLine(
        `Relaxed regular expressions are ${named}${active?.contents ? `: ${active.version} has ${active.contents.rules} rules, ${active.contents.broken} broken` : ''}`,
      ),
    );
  return exitCodes.done;
}

async function check(run: CommandRun): Promise<ExitCode> {
  const state = await checked(run);
  await showChecked(run, state);
  return state.lastCheck?.outcome === 'unsure' ? exitCodes.service : exitCodes.done;
}

async function update(run: CommandRun): Promise<ExitCode> {
  const before = await stateOf(run);
  const state = before.candidate === null ? await checked(run) : before;
  const candidate = packageOf(state, state.candidate);
  if (candidate === null) {
    await showChecked(run, state);
    return state.lastCheck?.outcome === 'unsure' ? exitCodes.service : exitCodes.done;
  }
  return installed(run, state, candidate);
}

async function install(run: CommandRun, typed: readonly string[]): Promise<ExitCode> {
  const { state, opened } = await openedFiles(run, typed);
  if (isGiven(run.options, 'preview')) {
    await showOpened(run, state, opened);
    return exitCodes.done;
  }
  return installed(run, state, opened);
}

async function installed(run: CommandRun, state: PublicationsState, candidate: PackageView): Promise<ExitCode> {
  const { contents, failure } = candidate;
  if (contents === null) throw new FailureError(failure ?? { kind: 'package-missing', sha256: candidate.sha256 });
  const { counts, rows } = await differenceTo(run, state, candidate);
  for (const row of rows) if (row.kind === 'broken') run.terminal.complain(rowLine(row));
  if (isGiven(run.options, 'if-clean') && contents.broken > 0)
    fail({ kind: 'package-has-broken', version: candidate.version, broken: contents.broken });
  return activated(run, candidate, `(${countsWords(counts)})`);
}

async function rollback(run: CommandRun, named: string | undefined): Promise<ExitCode> {
  return activated(run, earlierPackage(await stateOf(run), named), '');
}

/** The active package and a pinned one are refused by whoever keeps them. */
async function remove(run: CommandRun, named: string): Promise<ExitCode> {
  const before = await stateOf(run);
  const removed = packageNamed(before, named);
  await run.ask('publications.remove', { workspaceId: before.workspaceId, sha256: removed.sha256 });
  if (run.terminal.isJson) await run.terminal.json({ removed });
  else await run.terminal.line(visibleLine(`${removed.version} was removed`));
  return exitCodes.done;
}

async function activated(run: CommandRun, { sha256, version }: PackageView, words: string): Promise<ExitCode> {
  const state = await run.ask('publications.activate', {
    workspaceId: await run.workspaceId(),
    sha256,
    ...(isGiven(run.options, 'yes') && { removesMany: true }),
  });
  const now = packageOf(state, state.active);
  if (run.terminal.isJson) await run.terminal.json({ active: now });
  else await run.terminal.line(visibleLine(`${version} is active ${words}`).trimEnd());
  return exitCodes.done;
}
