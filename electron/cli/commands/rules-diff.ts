import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { differenceFormat, type DifferenceFormat } from '../../../shared/domain/rule-review.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { textOf } from '../option-values.ts';
import { differenceTo, packageNamed, packageOf } from '../rule-packages.ts';
import { wrongUsage } from '../usage-error.ts';
import { showDifference } from './rules-check.ts';

/** What differs between two packages that are kept here: as lines, as a patch or as JSON. */
export async function diffPackages(
  run: CommandRun,
  state: PublicationsState,
  [first, second]: readonly (string | undefined)[],
): Promise<ExitCode> {
  const format = run.terminal.isJson
    ? 'json'
    : (differenceFormat.options.find((one) => one === textOf(run.options, 'format')) ?? null);
  const active = packageOf(state, state.active);
  const to =
    second === undefined
      ? first === undefined
        ? candidateOf(state)
        : packageNamed(run.terminal, state, first)
      : packageNamed(run.terminal, state, second);
  const from = second === undefined || first === undefined ? active : packageNamed(run.terminal, state, first);
  await show(run, state.workspaceId, { from, to, format });
  return exitCodes.done;
}

const candidateOf = (state: PublicationsState): PackageView =>
  packageOf(state, state.candidate) ??
  wrongUsage('no candidate to compare: name a version, or fetch one with "vitrine rules check"');

async function show(
  run: CommandRun,
  workspaceId: string,
  { from, to, format }: { from: PackageView | null; to: PackageView; format: DifferenceFormat | null },
): Promise<void> {
  if (format === 'patch') return patch(run, workspaceId, from, to);
  const difference = await differenceTo(run, { workspaceId, active: from?.sha256 ?? null }, to);
  const facts = ({ version, group, sha256 }: PackageView): object => ({ version, group, sha256 });
  const { counts, rows: rules } = difference;
  if (format === 'json' || run.terminal.isJson)
    return run.terminal.value({ from: from && facts(from), to: facts(to), counts, rules });
  return showDifference(run.terminal, from?.version ?? null, difference);
}

/** Byte by byte: an escaped patch would not apply. */
async function patch(run: CommandRun, workspaceId: string, from: PackageView | null, to: PackageView): Promise<void> {
  for (let at: number | null = 0; at !== null;) {
    const { text, next }: { text: string; next: number | null } = await run.ask('publications.patch', {
      workspaceId,
      from: from?.sha256 ?? null,
      to: to.sha256,
      at,
    });
    await run.terminal.bytes(Buffer.from(text));
    at = next;
  }
}
