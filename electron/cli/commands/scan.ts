import type { Job } from '../../../shared/domain/job.ts';
import { knownWords, lookedWords } from '../../../shared/domain/scan-format.ts';
import type { ScanEngines, ScanPlan, ScanResult } from '../../../shared/domain/scan.ts';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tlp.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { fail } from '../../../shared/failure-error.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, gravestOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { inertLine } from '../inert-line.ts';
import { choiceOf, isGiven } from '../option-values.ts';
import {
  codeOf,
  doubtOf,
  failureOf,
  type FileResult,
  namesLeftOutOf,
  reasonOf,
  resultsOf,
  rulesOf,
  toldNotices,
  troubleOf,
} from '../scan-results.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';
import { type ScanTargets, scanTargets } from './scan-targets.ts';

const engineChoices = ['local', 'service', 'both'] as const satisfies readonly ScanEngines[];

export const scan: Command = {
  name: 'scan',
  summary: 'scan files or samples with YARA rules',
  usage: ['FILE|FOLDER|HASH... [flags]'],
  about:
    'Scans with the active rule package. Prints one line for each path, hits first: the rules that hit, "no ' +
    'hits" with the number of rules, or "failed" with the reason. Exits with 0 only if every file was ' +
    'scanned.',
  examples: ['vitrine scan incoming/', 'vitrine scan setup.exe --fail-on-hit --quiet'],
  flags: {
    engines: {
      value: 'ENGINE',
      choices: engineChoices,
      text: 'local (default, nothing is sent), service (the rule editor) or both',
    },
    tlp: { value: 'LEVEL', choices: tlpLevels, text: `TLP of the files: ${tlpLevels.join(', ')}` },
    matches: { text: 'also show where each string matched' },
    'fail-on-hit': { text: 'exit with 8 if a rule hits' },
  },
  run: async (run) => {
    if (run.args.length === 0) wrongUsage('name a file, a folder or a hash to scan');
    const engines = choiceOf(run.options, 'engines', engineChoices) ?? 'local';
    const tlp = choiceOf(run.options, 'tlp', tlpLevels);
    const workspaceId = await run.workspaceId();
    if (engines !== 'local') guard(run, await run.ask('scans.plan', { workspaceId }), { engines, tlp });
    // Rules are compiled while files are read.
    const ahead = engines === 'local' ? run.ask('scans.plan', { workspaceId, isAhead: true }) : null;
    const [found, planned] = await Promise.allSettled([scanTargets(run), ahead]);
    // What is wrong with the paths comes first: nothing is begun then.
    if (found.status === 'rejected') throw found.reason;
    if (planned.status === 'rejected') throw planned.reason;
    const targets = found.value;
    const codes: ExitCode[] = [
      ...targets.failed.map(({ failure }) => exitCodeOf(failure)),
      ...(targets.isIncomplete ? [exitCodes.notFound] : []),
    ];
    await notScanned(run, targets);
    if (targets.files.length + targets.samples.length > 0)
      codes.push(await scanned(run, { workspaceId, engines, tlp, targets }));
    return gravestOf(codes);
  },
};

/** Who gets the bytes is said before they leave, and who may not have them is not asked. */
function guard(
  { terminal }: CommandRun,
  { service }: ScanPlan,
  { engines, tlp }: { engines: ScanEngines; tlp: TlpLevel | null },
): void {
  if (service === null) fail({ kind: 'service-not-set', service: 'rule-editor' });
  const isClosed = !service.isHere && forbidsThirdParties(tlp);
  if (isClosed && engines === 'service')
    fail({ kind: 'third-party-refused', tlp: `TLP:${(tlp ?? '').toUpperCase()}`, receiver: service.host });
  terminal.say(isClosed ? `${service.host} gets none of these` : `To ${service.host}`);
}

async function notScanned({ terminal }: CommandRun, { failed }: ScanTargets): Promise<void> {
  for (const { named, failure } of failed) {
    if (terminal.isJson) await terminal.json({ file: named, sha256: null, state: 'failed', rules: [], failure });
    else await terminal.line(`${states.failed}  ${visibleLine(named)}  ${visibleLine(reasonOf(failure))}`);
  }
}

interface ScanOrder {
  workspaceId: string;
  engines: ScanEngines;
  tlp: TlpLevel | null;
  targets: ScanTargets;
}

async function scanned(run: CommandRun, { workspaceId, engines, tlp, targets }: ScanOrder): Promise<ExitCode> {
  const files = targets.files.map((id) => ({ id }));
  const job = await endOf(
    run,
    await run.ask('scans.start', { workspaceId, engines, files, samples: targets.samples, tlp }),
  );
  const codes = toldNotices(run, job);
  let hits = 0;
  for await (const result of resultsOf(run, job.id)) {
    hits += rulesOf(result.file).length;
    codes.push(codeOf(result));
    const typed = result.file.paths.flatMap((path) => targets.paths.get(path) ?? []);
    const names = typed.length > 0 ? typed : [result.file.name ?? result.file.sha256];
    for (const name of names) await shown(run, result, { name, job });
  }
  if (hits > 0 && isGiven(run.options, 'fail-on-hit')) codes.push(exitCodes.hit);
  return gravestOf(codes);
}

async function shown(
  { terminal, options }: CommandRun,
  result: FileResult,
  { name, job }: { name: string; job: Job },
): Promise<void> {
  const { file, group } = result;
  const rules = rulesOf(file);
  if (terminal.isJson) {
    const { sha256, md5, muted, known } = file;
    return terminal.json({
      file: name,
      sha256,
      md5,
      state: group.state,
      rules,
      results: file.results.map(withoutRaw),
      muted,
      known,
      failure: failureOf(result),
      job: job.id,
    });
  }
  const troubles = troubleOf(result);
  await terminal.line(
    `${rules.length > 0 ? states.hit : troubles.length > 0 ? states.failed : states.none}  ${visibleLine(name)}${asideOf(result, { rules, troubles, job })}`,
  );
  if (rules.length > 0) for (const trouble of troubles) await terminal.line(`    ${visibleLine(trouble)}`);
  for (const doubt of [...doubtOf(result), ...namesLeftOutOf(file)]) await terminal.line(`    ${visibleLine(doubt)}`);
  if (isGiven(options, 'matches')) for (const line of file.results.flatMap(matchLines)) await terminal.line(line);
}

const states = { hit: 'hit    ', none: 'no hits', failed: 'failed ' } as const;

/** The rules that hit; else with how many it was scanned, or why it was not, and what is known of it besides. */
function asideOf(
  { file }: FileResult,
  { rules, troubles, job }: { rules: readonly string[]; troubles: readonly string[]; job: Job },
): string {
  if (rules.length > 0) return `  ${visibleLine(rules.join(' '))}`;
  const looked = lookedWords(
    job,
    file.results.map((result) => result.package?.rules ?? null),
  );
  const muted = file.muted.length === 0 ? '' : `, ${file.muted.length.toLocaleString('en')} muted`;
  const known = file.known === null ? [] : knownWords(file.known);
  return `  ${visibleLine(troubles.length > 0 ? troubles.join(' ') : `(${looked}${muted})`)}${known.map((words) => `  ${inertLine(words)}`).join('')}`;
}

/** The service's own words may be a hundred thousand characters. */
const withoutRaw = (result: ScanResult): object => ({ ...result, raw: undefined });

/** `    service Rule $a 0x1f 4d5a`: a line a match, with the bytes there as far as they are known. */
function matchLines({ side, hits }: ScanResult): string[] {
  return hits.flatMap(({ rule, strings }) =>
    strings.flatMap(({ id, matches }) =>
      matches.map(({ offset, data }) =>
        visibleLine(`    ${side} ${rule} ${id} 0x${offset.toString(16)} ${data ?? ''}`).trimEnd(),
      ),
    ),
  );
}
