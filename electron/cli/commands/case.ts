import type { CaseOptions, CaseSelection } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { tlpLevels } from '../../../shared/domain/tlp.ts';
import { fail } from '../../../shared/failure-error.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { choiceOf, isGiven, neededText, numberOf, textOf, textsOf } from '../option-values.ts';
import { refuseExisting, writeOut } from '../output-file.ts';
import { queryTermsOf } from '../query-terms.ts';
import { neededHash } from '../sample-named.ts';
import { givenSecret } from '../secret-input.ts';
import { wrongUsage } from '../usage-error.ts';

const formats = ['misp', 'stix', 'csv', 'jsonl', 'markdown', 'html'] as const satisfies readonly CaseFormat[];

/** `case` is a word of the language. */
export const caseCommand: Command = {
  name: 'case',
  summary: 'write samples of the library as a MISP event, a STIX bundle, a table or a report',
  usage: `vitrine case QUERY… --as FORMAT --title TITLE --out FILE

QUERY is what the library is searched with. Instead of it --hash or --job name the samples.

  --hash HASH         this sample; may be given more than once
  --job N             the samples of job N
  --as FORMAT         misp, stix, csv, jsonl, markdown or html
  --title TITLE       what the case is called
  --author NAME       who says it
  --tlp LEVEL         of the case as a whole; never less strict than one of its samples. Left out: as strict as the strictest
  --notes             also the notes of this desk
  --comments          also the comments of the services
  --hits              also the rules that hit
  --samples           misp: also the samples, each in a ZIP with a password
  --password-file F   that password; - is standard input. Or VITRINE_ZIP_PASSWORD. Left out: that of exports
  --out FILE          - is standard output
  --force             replace FILE where it is there already`,
  options: {
    hash: { type: 'string', multiple: true }, job: { type: 'string' }, as: { type: 'string' }, title: { type: 'string' }, author: { type: 'string' }, tlp: { type: 'string' },
    notes: { type: 'boolean' }, comments: { type: 'boolean' }, hits: { type: 'boolean' }, samples: { type: 'boolean' }, 'password-file': { type: 'string' },
    out: { type: 'string' }, force: { type: 'boolean' },
  },
  run: async (run) => {
    const selection = selectionOf(run);
    const options = await optionsOf(run);
    const file = { out: neededText(run.options, 'out'), isForced: isGiven(run.options, 'force') };
    await refuseExisting(run.terminal, file);
    const prepared = await run.ask('cases.prepare', { selection, options });
    // A folder is for a page that has one.
    if (prepared.kind === 'folder') fail({ kind: 'export-gone' });
    const bytes = await writeOut(run.terminal, file, (await run.door()).take(prepared.id));
    if (file.out === '-') return exitCodes.done;
    if (run.terminal.isJson) await run.terminal.json({ file: file.out, format: options.format, bytes });
    else await run.terminal.line(`${file.out}  ${bytes.toLocaleString('en')} bytes`);
    return exitCodes.done;
  },
};

function selectionOf({ args, options }: CommandRun): CaseSelection {
  const [hashes, job] = [textsOf(options, 'hash').map(neededHash), numberOf(options, 'job')];
  if (Number(args.length > 0) + Number(hashes.length > 0) + Number(job !== null) !== 1) wrongUsage('one of QUERY, --hash and --job');
  if (job !== null) return { kind: 'job', id: job, filter: { states: [], find: '' } };
  return hashes.length > 0 ? { kind: 'named', hashes } : { kind: 'query', terms: queryTermsOf(args, new Date()), except: [] };
}

async function optionsOf(run: CommandRun): Promise<CaseOptions> {
  const { options } = run;
  const format = choiceOf(options, 'as', formats) ?? wrongUsage('--as is needed: misp, stix, csv, jsonl, markdown or html');
  const withSamples = isGiven(options, 'samples');
  if (withSamples && format !== 'misp') wrongUsage('--samples is for --as misp');
  return {
    format,
    title: neededText(options, 'title'),
    author: textOf(options, 'author') ?? '',
    tlp: choiceOf(options, 'tlp', tlpLevels),
    include: { notes: isGiven(options, 'notes'), comments: isGiven(options, 'comments'), hits: isGiven(options, 'hits') },
    samples: withSamples ? { password: await passwordOf(run) } : null,
  };
}

async function passwordOf(run: CommandRun): Promise<string> {
  const given = await givenSecret(run, { option: 'password-file', variable: 'VITRINE_ZIP_PASSWORD' });
  return given ?? (await run.ask('settings.read', {})).values.exportPassword;
}
