import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';
import { fail } from '../../../shared/failure-error.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

/** Packages that are kept here, newest first. */
export async function listPackages(run: CommandRun, state: PublicationsState): Promise<ExitCode> {
  for (const one of state.packages) await showPackage(run, state, one);
  if (state.packages.length === 0) run.terminal.say('No rule packages here. Get one: vitrine rules check');
  return exitCodes.done;
}

async function showPackage({ terminal }: CommandRun, state: PublicationsState, one: PackageView): Promise<void> {
  const standing = standingOf(state, one);
  if (terminal.isJson) return terminal.json({ ...one, standing, isPinned: state.pinned === one.sha256 });
  const counts = one.contents ? `${one.contents.rules} rules${one.contents.broken === 0 ? '' : `, ${one.contents.broken} broken`}` : 'cannot be opened';
  const pinned = state.pinned === one.sha256 ? '  pinned' : '';
  await terminal.line(visibleLine(`${standing.padEnd(9)}  ${one.version}  ${one.group ?? '-'}  ${one.received.slice(0, 10)}  ${counts}  ${one.sha256.slice(0, 12)}${pinned}`));
}

function standingOf({ active, candidate }: PublicationsState, { sha256 }: PackageView): 'active' | 'candidate' | 'kept' {
  if (sha256 === active) return 'active';
  return sha256 === candidate ? 'candidate' : 'kept';
}

/** A rule of the active package by its key, as it is written there. @throws FailureError `rule-missing`, `no-package` */
export async function showRule(run: CommandRun, workspaceId: string, name: string): Promise<ExitCode> {
  const { rows } = await run.ask('publications.ruleNames', { workspaceId, find: name, limit: 100 });
  const row = rows.find((one) => one.key === name) ?? fail({ kind: 'rule-missing', name });
  const { sha256 } = await run.ask('publications.rules', { workspaceId, find: name, offset: 0, limit: 1 });
  const view = await run.ask('publications.rule', { workspaceId, sha256, number: row.number });
  if (run.terminal.isJson) await run.terminal.json(view);
  else for (const line of visibleText(view.source.text).split('\n')) await run.terminal.line(line.replaceAll('\t', '    '));
  if (view.source.isCut) run.terminal.say(`The rule is longer: it has ${view.source.lines.toLocaleString('en')} lines.`);
  return exitCodes.done;
}
