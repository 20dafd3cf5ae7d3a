import { stat } from 'node:fs/promises';
import type { Job } from '../../../shared/domain/job.ts';
import { knownWords, lookedWords } from '../../../shared/domain/scan-table.ts';
import type { ScanEngines, ScanPlan, ScanResult } from '../../../shared/domain/scan.ts';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { librarySample, typedHash } from '../chosen-samples.ts';
import { stagedFile } from '../client.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { givenFiles, pathOf, tooManyFiles } from '../given-files.ts';
import { endOf } from '../job-waiting.ts';
import { choiceOf, isGiven } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, harmlessLine, Records } from '../records.ts';
import {
  codeOf,
  doubtOf,
  failureOf,
  type FileResult,
  namesLeftOutOf,
  reportedNotices,
  resultsOf,
  rulesOf,
  troubleOf,
} from '../scan-results.ts';
import type { Style } from '../terminal.ts';

const mostFiles = 500;
const stagedAtOnce = 16;

/** What to scan, as the host names it. */
export interface ScanTargets {
  /** Staged ids. */
  files: string[];
  /** The paths of the files as they were typed, by the absolute path: a scan looks at the same bytes once. */
  paths: Map<string, string[]>;
  /** SHA-256 of samples in the vault. */
  samples: string[];
  /** What cannot be scanned, with the reason. */
  failed: { named: string; failure: Failure }[];
  /** A path that was typed is not a file and has none in it. */
  isIncomplete: boolean;
}

/**
 * Files and folders by path, samples of the vault by hash. What looks like a hash is one, unless a file has that name.
 */
export async function scanTargets(run: CommandRun): Promise<ScanTargets> {
  const targets: ScanTargets = { files: [], paths: new Map(), samples: [], failed: [], isIncomplete: false };
  const paths: string[] = [];
  for (const named of run.args) {
    const hash = typedHash(named);
    if (hash === null || (await isThere(named))) paths.push(named);
    else await addSample(run, targets, { named, hash });
  }
  await addFiles(run, targets, paths);
  return targets;
}

const isThere = (path: string): Promise<boolean> =>
  stat(pathOf(path)).then(
    () => true,
    () => false,
  );

async function addSample(
  run: CommandRun,
  targets: ScanTargets,
  { named, hash }: { named: string; hash: string },
): Promise<void> {
  try {
    const { sha256, vault } = await librarySample(run, hash);
    targets.samples.push(sha256 !== null && vault === 'held' ? sha256 : fail({ kind: 'not-in-vault', sha256: hash }));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    targets.failed.push({ named, failure: error.failure });
  }
}

async function addFiles(run: CommandRun, targets: ScanTargets, paths: readonly string[]): Promise<void> {
  const { files, leftOut, unread } = await givenFiles(run.terminal, paths);
  for (const path of leftOut) run.terminal.complain(`Skipped, not a regular file: ${path}`);
  targets.failed.push(...unread.map(({ shown, failure }) => ({ named: shown, failure })));
  const isEmpty = paths.length > 0 && files.length + unread.length === 0;
  if (isEmpty) run.terminal.complain('No files found. Nothing was scanned.');
  targets.isIncomplete = isEmpty || leftOut.some((path) => paths.includes(path));
  if (files.length > mostFiles) wrongUsage(tooManyFiles(mostFiles, files.length));
  const client = await run.client();
  for (let at = 0; at < files.length; at += stagedAtOnce) {
    const some = files.slice(at, at + stagedAtOnce);
    const staged = await Promise.all(some.map((file) => stagedFile(client, file)));
    for (const [index, { path, shown }] of some.entries()) {
      const one = staged[index];
      if (one?.ok === false) targets.failed.push({ named: shown, failure: one.failure });
      if (one?.ok !== true) continue;
      targets.files.push(one.value.id);
      targets.paths.set(path, [...(targets.paths.get(path) ?? []), shown]);
    }
  }
}

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
    return mostSevereOf(codes);
  },
};

const asksTlpWords =
  'The repository is asked for the TLP of files without a record first, because they leave this computer';

/** Names the receiver before the bytes leave; files that it must not get are not sent. */
function guard(
  { terminal }: CommandRun,
  { service, cannotScan }: ScanPlan,
  { engines, tlp }: { engines: ScanEngines; tlp: TlpLevel | null },
): void {
  if (cannotScan) fail({ kind: 'editor-cannot-scan' });
  if (service === null) fail({ kind: 'service-not-set', service: 'rule-editor' });
  const isClosed = !service.isHere && forbidsThirdParties(tlp);
  if (isClosed && engines === 'service')
    fail({ kind: 'third-party-refused', tlp: `TLP:${(tlp ?? '').toUpperCase()}`, receiver: service.host });
  if (service.asksTlp && !isClosed) terminal.print(asksTlpWords);
  terminal.print(isClosed ? `Nothing is sent to ${service.host}: the TLP forbids it` : `Sending to ${service.host}`);
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
  const codes = reportedNotices(run, job);
  let hits = 0;
  for await (const result of resultsOf(run, job.id)) {
    hits += rulesOf(result.file).length;
    codes.push(codeOf(result));
    const typed = result.file.paths.flatMap((path) => targets.paths.get(path) ?? []);
    const names = typed.length > 0 ? typed : [result.file.name ?? result.file.sha256];
    for (const name of names) await listing.result(result, { name, job });
  }
  if (hits > 0 && isGiven(run.options, 'fail-on-hit')) codes.push(exitCodes.hit);
  return mostSevereOf(codes);
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
  const known = rules.length > 0 || file.known === null ? [] : knownWords(file.known).map(harmlessLine);
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
