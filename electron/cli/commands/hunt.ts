import type { HuntEstimate, HuntScope } from '../../../shared/domain/scan.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, gravestOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { isGiven, textsOf } from '../option-values.ts';
import { codeOf, failureOf, type FileResult, nameOf, resultsOf, troubleOf } from '../scan-results.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';

export const hunt: Command = {
  name: 'hunt',
  summary: 'look at the vault again, with new or changed rules',
  usage: `vitrine hunt

Tells hits that were not there the last time, and those that are no more.

  --changed           rules that are new or changed since the last hunt (this is meant without an option)
  --all               all rules
  --rule NAME         this rule; may be given more than once
  --fail-on-hit       end with 8 where there is a new hit`,
  options: { changed: { type: 'boolean' }, all: { type: 'boolean' }, rule: { type: 'string', multiple: true }, 'fail-on-hit': { type: 'boolean' } },
  run: async (run) => {
    if (run.args.length > 0) wrongUsage('a hunt looks at the whole vault');
    const order = { workspaceId: await run.workspaceId(), scope: scopeOf(run) };
    const estimate = await run.ask('hunts.estimate', order);
    if (estimate.rules === 0 && estimate.removed.length === 0) return nothingNew(run, estimate);
    run.terminal.say(`${estimate.rules.toLocaleString('en')} rules over ${estimate.samples.toLocaleString('en')} samples`);
    const job = await endOf(run, await run.ask('hunts.start', order));
    for (const notice of job.notices) run.terminal.complain(sentenceFor(notice).what);
    return told(run, job.id, job.notices.map(exitCodeOf));
  },
};

function scopeOf({ options }: CommandRun): HuntScope {
  const [all, changed, rules] = [isGiven(options, 'all'), isGiven(options, 'changed'), [...textsOf(options, 'rule')]];
  if (Number(all) + Number(changed) + Number(rules.length > 0) > 1) wrongUsage('one of --all, --changed and --rule');
  if (rules.length > 0) return { kind: 'named', rules };
  return { kind: all ? 'all' : 'changed' };
}

function nothingNew({ terminal }: CommandRun, { against }: HuntEstimate): ExitCode {
  terminal.say(against === null ? 'No rules to look with.' : visibleLine(`No rule is new or changed since ${against.version}.`));
  return exitCodes.done;
}

async function told(run: CommandRun, jobId: number, codes: ExitCode[]): Promise<ExitCode> {
  const seen = new Set<number>();
  let added = 0;
  for (const show of ['added', 'lost', 'trouble'] as const) {
    for await (const result of resultsOf(run, jobId, show)) {
      if (seen.has(result.group.position)) continue;
      seen.add(result.group.position);
      added += result.file.added.length;
      await shown(run, result, jobId);
      codes.push(codeOf(result));
    }
  }
  const { files, withHits } = await run.ask('scans.summary', { jobId });
  run.terminal.say(`${files.toLocaleString('en')} samples, ${withHits.toLocaleString('en')} with hits, ${added.toLocaleString('en')} new`);
  return added > 0 && isGiven(run.options, 'fail-on-hit') ? exitCodes.hit : gravestOf(codes);
}

async function shown({ terminal }: CommandRun, result: FileResult, job: number): Promise<void> {
  const { name, md5, sha256, added, lost } = result.file;
  if (terminal.isJson) return terminal.json({ file: name, sha256, md5, added, lost, failure: failureOf(result), job });
  for (const rule of added) await terminal.line(`+ ${visibleLine(rule)}  ${sha256}  ${nameOf(result.file)}`);
  for (const rule of lost) await terminal.line(`− ${visibleLine(rule)}  ${sha256}  ${nameOf(result.file)}`);
  for (const trouble of troubleOf(result)) await terminal.line(`! ${visibleLine(trouble)}  ${sha256}  ${nameOf(result.file)}`);
}
