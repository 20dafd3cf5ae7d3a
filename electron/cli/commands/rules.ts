import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Command, CommandRun, Flag } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { isGiven, textOf, textsOf } from '../option-values.ts';
import { type Column, Records } from '../records.ts';
import {
  checkedCandidate,
  countsWords,
  differenceTo,
  earlierPackage,
  packageNamed,
  packageOf,
} from '../rule-packages.ts';
import { outputFormats } from '../terminal.ts';
import { checked, diffPackages, rowLine, showChecked, showOpened, untilRested } from './rules-check.ts';
import { openedFiles } from './rules-install.ts';
import { listPackages, listRules, ruleSorts, ruleVariables, showRule } from './rules-show.ts';
import { tryPackage } from './rules-try.ts';

const ifCleanFlag: Flag = { text: 'refuse a package with broken rules' };
const removesManyFlag: Flag = { text: 'install even if more than a fifth of the rules would be removed' };

export const rules: Command = {
  name: 'rules',
  summary: 'check, install, compare and search rule packages',
  usage: [],
  examples: ['vitrine rules check', "vitrine rules list --query 'tag:apt -is:muted'"],
  words: {
    check: {
      summary: 'fetch the newest publication and show what it changes',
      usage: [''],
      about: 'Of a rule editor without publications, all files of rules are fetched as one package.',
      examples: ['vitrine rules check'],
      most: 0,
    },
    update: {
      summary: 'install the fetched publication',
      usage: ['[--if-clean] [--yes]'],
      about: 'If none was fetched, it checks for one first.',
      examples: ['vitrine rules update --if-clean'],
      flags: { 'if-clean': ifCleanFlag, yes: removesManyFlag },
      most: 0,
    },
    install: {
      summary: 'install rule files, ZIPs and folders as one package',
      usage: ['PATH... [flags]'],
      examples: ['vitrine rules install signatures/ extra.yar --preview'],
      flags: {
        'if-clean': ifCleanFlag,
        yes: removesManyFlag,
        preview: { text: 'only show the changes, and keep the package as a candidate' },
        convert: { text: 'convert files in Latin-1, or in UTF-16 without a byte order mark, to UTF-8' },
        'version-name': { value: 'VERSION', text: 'version of the package' },
      },
      most: Infinity,
    },
    rollback: {
      summary: 'return to an earlier package',
      usage: ['[VERSION]'],
      examples: ['vitrine rules rollback 2026.11.10'],
      most: 1,
    },
    remove: {
      summary: 'remove a candidate or an older package',
      usage: ['VERSION|SHA-256'],
      examples: ['vitrine rules remove 2026.11.10'],
      most: 1,
    },
    list: {
      summary: 'list packages, or rules with --query',
      usage: ['[--query QUERY [--sort ORDER]]'],
      examples: ['vitrine rules list', "vitrine rules list --query 'cost:>5' --sort cost"],
      flags: {
        query: {
          value: 'QUERY',
          text: "list rules of the active package: 'tag:apt meta.score:>70 -is:muted'; '' lists all rules",
        },
        sort: {
          value: 'ORDER',
          choices: Object.keys(ruleSorts),
          text: 'with --query: place (default), name, hits or cost; hits and cost start with the highest',
        },
      },
      most: 0,
    },
    show: {
      summary: 'show a rule of the active package',
      usage: ['RULE'],
      examples: ['vitrine rules show windows_executable'],
      most: 1,
    },
    diff: {
      summary: 'compare two packages',
      usage: ['[[FROM] TO] [--format FORMAT]'],
      about: 'Compares the active package with the candidate unless versions are given.',
      examples: ['vitrine rules diff --format patch > changes.patch'],
      flags: {
        format: {
          value: 'FORMAT',
          choices: ['patch', ...outputFormats],
          text: 'patch (for git apply), table, json, jsonl or csv',
        },
      },
      most: 2,
    },
    try: {
      summary: 'test new rules for false positives on known-good files',
      usage: ['VERSION PATH... [--fail-on-hit]'],
      about:
        'Shows what the new and changed rules of a package hit and the active package does not. Nothing is installed.',
      examples: ['vitrine rules try 2026.11.10 /usr/bin --fail-on-hit'],
      flags: { 'fail-on-hit': { text: 'exit with 8 if there is a new hit' } },
      most: Infinity,
    },
    relaxed: {
      summary: 'accept regular expressions that YARA 4 accepts',
      usage: ['on|off'],
      examples: ['vitrine rules relaxed on'],
      values: [['on', 'off']],
      most: 1,
    },
    variables: {
      summary: 'list, set or remove variables of rules',
      usage: ['[NAME=VALUE...] [--remove NAME]'],
      examples: ['vitrine rules variables site=lab limit=5'],
      flags: { remove: { value: 'NAME', multiple: true, text: 'remove this variable; may be repeated' } },
      most: 50,
    },
  },
  run: async (run) => {
    const [verb, named, ...others] = run.args;
    if (verb !== 'diff' && textOf(run.options, 'format') === 'patch') wrongUsage('--format patch is for "rules diff"');
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
        return remove(run, named ?? wrongUsage('name the package to remove: its version or SHA-256'));
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
          'missing command: one of check, update, install, rollback, remove, list, show, diff, try, ' +
            'relaxed, variables',
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
    wrongUsage(`--sort must be one of ${Object.keys(ruleSorts).join(', ')}`);
  if (query !== null) return listRules(run, await run.workspaceId(), query, sort);
  if (textOf(run.options, 'sort') !== null) wrongUsage("--sort needs --query, such as --query '' for all rules");
  return listPackages(run, await stateOf(run));
}

/** Stored packages are compiled again by the host: the state is read after that. */
async function setRelaxed(run: CommandRun, named: string | undefined): Promise<ExitCode> {
  if (named !== 'on' && named !== 'off') wrongUsage('give on or off');
  const { workspaceId, options } = await stateOf(run);
  await run.ask('publications.setOptions', {
    workspaceId,
    options: { ...options, relaxed: named === 'on' },
    password: { kind: 'keep' },
  });
  const state = await untilRested(run, workspaceId);
  const active = packageOf(state, state.active);
  if (run.terminal.isData) await run.terminal.value({ relaxed: state.options.relaxed, active });
  else
    await run.terminal.line(
      visibleLine(
        `Relaxed regular expressions are ${named}` +
          (active?.contents
            ? `: ${active.version} has ${counted(active.contents.rules, 'rule')}, ` +
              `${many(active.contents.broken)} broken`
            : ''),
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
  const state = checkedCandidate(before) === null ? await checked(run) : before;
  const candidate = checkedCandidate(state);
  if (candidate === null) {
    await showChecked(run, state, () => new Records(run.terminal, activatedColumns).end());
    return state.lastCheck?.outcome === 'unsure' ? exitCodes.service : exitCodes.done;
  }
  return installed(run, state, candidate);
}

async function install(run: CommandRun, typed: readonly string[]): Promise<ExitCode> {
  const version = (textOf(run.options, 'version-name') ?? 'none').trim();
  if (version === '' || version.length > 200) wrongUsage('--version-name: expected 1 to 200 characters');
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
  if (isGiven(run.options, 'if-clean') && contents.broken > 0) {
    run.terminal.complain(
      visibleLine(
        `${candidate.version} was not installed: ${contents.broken} of its rules ` +
          `${contents.broken === 1 ? 'is' : 'are'} broken, and --if-clean was given.`,
      ),
    );
    return exitCodes.refused;
  }
  return activated(run, candidate, `(${countsWords(counts)})`);
}

async function rollback(run: CommandRun, named: string | undefined): Promise<ExitCode> {
  return activated(run, earlierPackage(run.terminal, await stateOf(run), named), '');
}

/** The host refuses to remove the active package and a pinned one. */
async function remove(run: CommandRun, named: string): Promise<ExitCode> {
  const before = await stateOf(run);
  const removed = packageNamed(run.terminal, before, named);
  await run.ask('publications.remove', { workspaceId: before.workspaceId, sha256: removed.sha256 });
  if (run.terminal.isData) await run.terminal.value({ removed });
  else await run.terminal.line(visibleLine(`Removed ${removed.version}`));
  return exitCodes.done;
}

/** Of the CSV of an update that had nothing to install. */
const activatedColumns: readonly Column<never>[] = [{ head: 'ACTIVE', value: () => null }];

async function activated(run: CommandRun, { sha256, version }: PackageView, words: string): Promise<ExitCode> {
  const state = await run.ask('publications.activate', {
    workspaceId: await run.workspaceId(),
    sha256,
    ...(isGiven(run.options, 'yes') && { removesMany: true }),
  });
  const now = packageOf(state, state.active);
  if (run.terminal.isData) await run.terminal.value({ active: now });
  else await run.terminal.line(visibleLine(`${version} is active ${words}`).trimEnd());
  return exitCodes.done;
}
