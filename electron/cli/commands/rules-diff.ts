import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { differenceFormat, type DifferenceFormat } from '../../../shared/domain/rule-review.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { choiceOf } from '../option-values.ts';
import { countsWords, differenceTo, packageNamed, packageOf } from '../rule-packages.ts';
import { wrongUsage } from '../usage-error.ts';
import { rowLine } from './rules-check.ts';

/** What differs between two packages that are kept here: as lines, as a patch or as JSON. */
export async function diffPackages(
  run: CommandRun,
  state: PublicationsState,
  [first, second]: readonly (string | undefined)[],
): Promise<ExitCode> {
  const format = run.terminal.isJson ? 'json' : choiceOf(run.options, 'format', differenceFormat.options);
  const active = packageOf(state, state.active);
  const to =
    second === undefined
      ? first === undefined
        ? candidateOf(state)
        : packageNamed(state, first)
      : packageNamed(state, second);
  const from = second === undefined || first === undefined ? active : packageNamed(state, first);
  await show(run, state.workspaceId, { from, to, format });
  return exitCodes.done;
}

const candidateOf = (state: PublicationsState): PackageView =>
  packageOf(state, state.candidate) ??
  wrongUsage('no update is here: name a version, or ask for one with vitrine rules check');

async function show(
  run: CommandRun,
  workspaceId: string,
  { from, to, format }: { from: PackageView | null; to: PackageView; format: DifferenceFormat | null },
): Promise<void> {
  if (format === 'patch') return patch(run, workspaceId, from, to);
  const { counts, rows } = await differenceTo(run, { workspaceId, active: from?.sha256 ?? null }, to);
  const facts = ({ version, group, sha256 }: PackageView): object => ({ version, group, sha256 });
  if (format === 'json') return run.terminal.json({ from: from && facts(from), to: facts(to), counts, rules: rows });
  await run.terminal.line(
    visibleLine(`${from?.version ?? 'nothing installed'} → ${to.version} (${countsWords(counts)})`),
  );
  for (const row of rows) await run.terminal.line(rowLine(row));
}

/** Byte by byte: a patch that was made to be read would not apply. */
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
