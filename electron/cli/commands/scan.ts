import type { Job } from '../../../shared/domain/job.ts';
import { knownWords, lookedWords } from '../../../shared/domain/scan-table.ts';
import type { ScanEngines, ScanPlan, ScanResult } from '../../../shared/domain/scan.ts';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { fail } from '../../../shared/failure.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, gravestOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { inertLine } from '../inert-line.ts';
import { choiceOf, isGiven } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import {
  codeOf,
  doubtOf,
  failureOf,
  type FileResult,
  namesLeftOutOf,
  resultsOf,
  rulesOf,
  toldNotices,
  troubleOf,
} from '../scan-results.ts';
import type { Style } from '../terminal.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';
import { type ScanTargets, scanTargets } from './scan-targets.ts';

const engineChoices = ['local', 'service', 'both'] as const satisfies readonly ScanEngines[];

export const scan: Command = {
  name: 'scan',
  summary: 'scan files or samples with YARA rules',
  usage: ['FILE|FOLDER|HASH... [flags]'],
  about:
    'Scans with the active rule package. Prints one line for each file, hits first. Each line shows the ' +
    'matching rules, "no hits" with the number of rules, or "failed" with the reason. Exits with 0 only if ' +
    'every file was scanned.',
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
    if (run.args.length === 0) wrongUsage('name a file, a folder or a hash');
    const engines = choiceOf(run.options, 'engines', engineChoices) ?? 'local';
    const tlp = choiceOf(run.options, 'tlp', tlpLevels);
    const workspaceId = await run.workspaceId();
    if (engines !== 'local') guard(run, await run.ask('scans.plan', { workspaceId }), { engines, tlp });
    // Rules are compiled while files are read.
    const ahead = engines === 'local' ? run.ask('scans.plan', { workspaceId, isAhead: true }) : null;
    const [found, planned] = await Promise.allSettled([scanTargets(run), ahead]);
    // An error in the paths comes first: nothing is scanned then.
    if (found.status === 'rejected') throw found.reason;
    if (planned.status === 'rejected') throw planned.reason;
    const targets = found.value;
    const codes: ExitCode[] = [
      ...targets.failed.map(({ failure }) => exitCodeOf(failure)),
      ...(targets.isIncomplete ? [exitCodes.notFound] : []),
    ];
    const listing = new Listing(run);
    for (const one of targets.failed) await listing.notScanned(one);
    if (targets.files.length + targets.samples.length > 0)
      codes.push(await scanned(run, listing, { workspaceId, engines, tlp, targets }));
    await listing.end();
    return gravestOf(codes);
  },
};

/** Names the receiver before the bytes leave; files that it must not get are not sent. */
function guard(
  { terminal }: CommandRun,
  { service }: ScanPlan,
  { engines, tlp }: { engines: ScanEngines; tlp: TlpLevel | null },
): void {
  if (service === null) fail({ kind: 'service-not-set', service: 'rule-editor' });
  const isClosed = !service.isHere && forbidsThirdParties(tlp);
  if (isClosed && engines === 'service')
    fail({ kind: 'third-party-refused', tlp: `TLP:${(tlp ?? '').toUpperCase()}`, receiver: service.host });
  terminal.say(isClosed ? `Nothing is sent to ${service.host}: the TLP forbids it` : `Sending to ${service.host}`);
}

interface ScanOrder {
  workspaceId: string;
  engines: ScanEngines;
  tlp: TlpLevel | null;
  targets: ScanTargets;
}

async function scanned(
  run: CommandRun,
  listing: Listing,
  { workspaceId, engines, tlp, targets }: ScanOrder,
): Promise<ExitCode> {
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
    for (const name of names) await listing.result(result, { name, job });
  }
  if (hits > 0 && isGiven(run.options, 'fail-on-hit')) codes.push(exitCodes.hit);
  return gravestOf(codes);
}

/** A row of the list: a path, or with `--matches` a match in it. */
interface ScanRow {
  state: 'hit' | 'no hits' | 'failed';
  file: string;
  rules: readonly string[];
  match: Match | null;
  details: readonly string[];
}

interface Match {
  side: ScanResult['side'];
  rule: string;
  string: string;
  offset: number;
  bytes: string | null;
}

const styles = { hit: 'alarm', 'no hits': null, failed: 'problem' } as const satisfies Record<string, Style | null>;

class Listing {
  readonly #terminal: CommandRun['terminal'];
  readonly #withMatches: boolean;
  readonly #records: Records<ScanRow>;

  constructor({ terminal, options }: CommandRun) {
    this.#terminal = terminal;
    this.#withMatches = isGiven(options, 'matches');
    const columns = this.#withMatches
      ? [...firstColumns, ...matchColumns, detailColumn]
      : [...fileColumns, detailColumn];
    this.#records = new Records(terminal, columns, ({ state }) => styles[state]);
  }

  async notScanned({ named, failure }: ScanTargets['failed'][number]): Promise<void> {
    if (this.#terminal.isJson)
      return this.#terminal.json({ file: named, sha256: null, state: 'failed', rules: [], failure });
    return this.#records.add({ state: 'failed', file: named, rules: [], match: null, details: [reasonOf(failure)] });
  }

  async result(result: FileResult, { name, job }: { name: string; job: Job }): Promise<void> {
    if (this.#terminal.isJson) return this.#terminal.json(valueOf(result, name, job));
    const row = rowOf(result, name, job);
    const matches = this.#withMatches ? result.file.results.flatMap(matchesOf) : [];
    for (const match of matches) await this.#records.add({ ...row, match });
    if (matches.length === 0) await this.#records.add(row);
  }

  async end(): Promise<void> {
    if (!this.#terminal.isJson) await this.#records.end();
  }
}

const firstColumns: readonly Column<ScanRow>[] = [
  { head: 'RESULT', value: ({ state }) => state, isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isMain: true, isOwn: true },
];
const fileColumns: readonly Column<ScanRow>[] = [
  ...firstColumns,
  { head: 'RULES', value: ({ rules }) => rules.join(' '), cut: 'text', isOwn: true },
];
const matchColumns: readonly Column<ScanRow>[] = [
  { head: 'RULE', value: ({ match, rules }) => match?.rule ?? rules.join(' '), cut: 'text', isOwn: true },
  { head: 'ENGINE', value: ({ match }) => match?.side ?? null, isOwn: true },
  { head: 'STRING', value: ({ match }) => match?.string ?? null, cut: 'text', isOwn: true },
  { head: 'OFFSET', value: ({ match }) => (match === null ? null : `0x${match.offset.toString(16)}`), align: 'right' },
  { head: 'BYTES', value: ({ match }) => match?.bytes ?? null, cut: 'text' },
];
const detailColumn: Column<ScanRow> = {
  head: 'DETAILS',
  value: ({ details }) => details.join('; '),
  cut: 'text',
  isOwn: true,
};

function valueOf(result: FileResult, name: string, job: Job): object {
  const { file, group } = result;
  const { sha256, md5, muted, known } = file;
  return {
    file: name,
    sha256,
    md5,
    state: group.state,
    rules: rulesOf(file),
    results: file.results.map(withoutRaw),
    muted,
    known,
    failure: failureOf(result),
    job: job.id,
  };
}

/** The service's own reply may have a hundred thousand characters. */
const withoutRaw = (result: ScanResult): object => ({ ...result, raw: undefined });

function rowOf(result: FileResult, name: string, job: Job): ScanRow {
  const { file } = result;
  const [rules, troubles] = [rulesOf(file), troubleOf(result)];
  const state = rules.length > 0 ? 'hit' : troubles.length > 0 ? 'failed' : 'no hits';
  const known = rules.length > 0 || file.known === null ? [] : knownWords(file.known).map(inertLine);
  return {
    state,
    file: name,
    rules,
    match: null,
    details: [
      ...(state === 'no hits' ? [scannedWords(file, job)] : troubles),
      ...known,
      ...doubtOf(result),
      ...namesLeftOutOf(file),
    ],
  };
}

/** `408 of 409 rules, 1 muted`. */
function scannedWords(file: FileResult['file'], job: Job): string {
  const looked = lookedWords(
    job,
    file.results.map((result) => result.package?.rules ?? null),
  );
  return file.muted.length === 0 ? looked : `${looked}, ${file.muted.length.toLocaleString('en')} muted`;
}

const matchesOf = ({ side, hits }: ScanResult): Match[] =>
  hits.flatMap(({ rule, strings }) =>
    strings.flatMap(({ id, matches }) =>
      matches.map(({ offset, data }) => ({ side, rule, string: id, offset, bytes: data ?? null })),
    ),
  );
