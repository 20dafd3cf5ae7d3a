import type { HuntEstimate, HuntScope } from '../../../shared/domain/scan.ts';
import { checkInput } from '../checked-input.ts';
import type { Command, CommandRun } from '../command.ts';
import { mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { endOf } from '../job-waiting.ts';
import { isGiven, textsOf } from '../option-values.ts';
import { type Column, Records } from '../records.ts';
import {
  codeOf,
  doubtOf,
  failureOf,
  type FileResult,
  namesLeftOutOf,
  resultsOf,
  reportedNotices,
  troubleOf,
} from '../scan-results.ts';

export const hunt: Command = {
  name: 'hunt',
  summary: 're-scan the vault with new or changed rules',
  usage: ['[--changed | --newer-engine | --all | --rule NAME] [--fail-on-hit]'],
  about: 'Reports new hits (+) and lost hits (-) since the last hunt.',
  examples: ['vitrine hunt', 'vitrine hunt --rule windows_executable --fail-on-hit'],
  flags: {
    changed: { text: 'new and changed rules, and new samples (default)' },
    'newer-engine': { text: 'only samples last scanned by an older engine' },
    all: { text: 'all rules, all samples' },
    rule: { value: 'NAME', multiple: true, text: 'this rule; may be repeated' },
    'fail-on-hit': { text: 'exit with 8 if there is a new hit' },
  },
  run: async (run) => {
    if (run.args.length > 0) wrongUsage('hunt takes no arguments: it scans the whole vault');
    const scope = scopeOf(run);
    const { huntScope } = await import('../../../shared/domain/scan.ts');
    checkInput(huntScope, scope, { rules: '--rule' });
    const order = { workspaceId: await run.workspaceId(), scope };
    const estimate = await run.ask('hunts.estimate', order);
    for (const line of coverageOf(estimate)) run.terminal.print(line);
    // A vault without samples is no success: nothing was scanned.
    if (estimate.total.samples > 0 && estimate.samples === 0 && estimate.removed.length === 0)
      return await nothingToDo(run, order.scope);
    run.terminal.print(
      `Hunting: ${count(estimate.rules, 'rule', 'rules')} over ${count(estimate.samples, 'sample', 'samples')}`,
    );
    const job = await endOf(run, await run.ask('hunts.start', order));
    return reported(run, job.id, reportedNotices(run, job));
  },
};

function scopeOf({ options }: CommandRun): HuntScope {
  const kinds = (
    [
      ['all', 'all'],
      ['changed', 'changed'],
      ['newer-engine', 'engine'],
    ] as const
  ).flatMap(([option, kind]) => (isGiven(options, option) ? [{ kind }] : []));
  const rules = [...textsOf(options, 'rule')];
  if (kinds.length + Number(rules.length > 0) > 1)
    wrongUsage('give one of --all, --changed, --newer-engine and --rule');
  return rules.length > 0 ? { kind: 'named', rules } : (kinds[0] ?? { kind: 'changed' });
}

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** What the rules have not scanned, and what they have scanned with an older engine only. */
function coverageOf({ unseen, older, total, isFirst, against }: HuntEstimate): string[] {
  const samples = count(total.samples, 'sample', 'samples');
  return [
    ...(isFirst && against !== null
      ? ['What earlier hunts covered is unknown, so the next hunt scans everything.']
      : []),
    ...(unseen.pairs > 0
      ? [
          `${count(unseen.rules, 'rule has', 'rules have')} not scanned ` +
            `${unseen.samples.toLocaleString('en')} of ${samples}.`,
        ]
      : []),
    ...(older.pairs > 0
      ? [
          `${count(older.rules, 'rule has', 'rules have')} scanned ` +
            `${older.samples.toLocaleString('en')} of ${samples} with an older engine only (--newer-engine).`,
        ]
      : []),
  ];
}

async function nothingToDo({ terminal }: CommandRun, { kind }: HuntScope): Promise<ExitCode> {
  if (!terminal.isJson) await new Records(terminal, columns).end();
  terminal.print(
    kind === 'engine'
      ? 'Nothing to hunt: this engine has scanned everything that an older one did.'
      : 'Nothing to hunt: every rule has scanned every sample.',
  );
  return exitCodes.done;
}

async function reported(run: CommandRun, jobId: number, codes: ExitCode[]): Promise<ExitCode> {
  const seen = new Set<number>();
  let added = 0;
  const records = new Records(run.terminal, columns, ({ change }) => styles[change]);
  for (const part of ['added', 'lost', 'trouble'] as const) {
    for await (const result of resultsOf(run, jobId, part)) {
      if (seen.has(result.group.position)) continue;
      seen.add(result.group.position);
      added += result.file.added.length;
      await show(run, records, result, jobId);
      codes.push(codeOf(result));
    }
  }
  if (!run.terminal.isJson) await records.end();
  const { files, withHits } = await run.ask('scans.summary', { jobId });
  const hits = `${withHits.toLocaleString('en')} with hits, ${added.toLocaleString('en')} new`;
  run.terminal.print(`${count(files, 'sample', 'samples')}, ${hits}`);
  return added > 0 && isGiven(run.options, 'fail-on-hit') ? exitCodes.hit : mostSevereOf(codes);
}

/** New hits, lost ones, and what may be wrong. */
interface HuntRow {
  change: '+' | '-' | '!';
  text: string;
  file: FileResult['file'];
}

const styles = { '+': 'alarm', '-': null, '!': 'problem' } as const;
const columns: readonly Column<HuntRow>[] = [
  { head: 'CHANGE', value: ({ change }) => change, isOwn: true },
  { head: 'RULE', value: ({ text }) => text, cut: 'text', isOwn: true },
  { head: 'SHA-256', value: ({ file }) => file.sha256, cut: 'hash', isOwn: true },
  { head: 'FILE', value: ({ file }) => file.name ?? file.sha256, cut: 'text' },
];

async function show(
  { terminal }: CommandRun,
  records: Records<HuntRow>,
  result: FileResult,
  job: number,
): Promise<void> {
  const { file } = result;
  const { name, md5, sha256, added, lost } = file;
  if (terminal.isJson)
    return terminal.json({
      file: name,
      sha256,
      md5,
      added,
      lost,
      withoutGlobal: [...new Set(file.results.flatMap(({ withoutGlobal }) => withoutGlobal))],
      failure: failureOf(result),
      job,
    });
  for (const text of added) await records.add({ change: '+', text, file });
  for (const text of lost) await records.add({ change: '-', text, file });
  for (const text of [...troubleOf(result), ...doubtOf(result), ...namesLeftOutOf(file)])
    await records.add({ change: '!', text, file });
}
