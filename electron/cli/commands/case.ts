import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { CaseOptions, CaseSelection, caseTitle, PreparedCase } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { counted } from '../../../shared/failure-sentence.ts';
import { neededHash, neededTermsOf, ofMatches } from '../chosen-samples.ts';
import type { Command, CommandRun } from '../command.ts';
import { mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { choiceOf, isGiven, neededText, numberOf, textOf, textsOf } from '../option-values.ts';
import { forceFlag, outputFolder, refuseExisting, writeOut } from '../output-file.ts';
import { givenSecret } from '../secret-input.ts';

const formats = ['misp', 'stix', 'csv', 'jsonl', 'markdown', 'html'] as const satisfies readonly CaseFormat[];

/** `case` is a word of the language. */
export const caseCommand: Command = {
  name: 'case',
  summary: 'export samples as MISP, STIX, CSV, JSON or a report',
  usage: ['QUERY... --as FORMAT --title TITLE --out FILE', '--hash HASH | --job N | --all ...'],
  about:
    'QUERY is a library query; --hash, --job or --all select samples instead. Exits with 3 if the ' +
    'library does not know a sample, and with 1 if the bytes of one are missing.',
  examples: ['vitrine case glasswing --as csv --title Glasswing --out glasswing.csv'],
  flags: {
    hash: { value: 'HASH', multiple: true, text: 'this sample; may be repeated' },
    job: { value: 'N', text: 'the samples of job N' },
    all: { text: 'every sample of the library' },
    as: { value: 'FORMAT', choices: formats, text: `one of ${formats.join(', ')}` },
    title: { value: 'TITLE', text: 'title of the case' },
    author: { value: 'NAME', text: 'author of the case' },
    tlp: {
      value: 'LEVEL',
      choices: tlpLevels,
      text: 'TLP of the case; not lower than any of its samples (default: the strictest of them)',
    },
    vouch: {
      text:
        'include samples with unknown TLP. You confirm that the TLP of the case is strict enough. Otherwise use ' +
        '--tlp red',
    },
    notes: { text: 'include local notes' },
    comments: { text: 'include comments from services' },
    hits: { text: 'include the rules that hit' },
    samples: { text: 'include the samples in a MISP event, each in a password-protected ZIP' },
    'password-file': {
      value: 'FILE',
      text: 'password of these ZIPs; - for stdin; or set VITRINE_ZIP_PASSWORD (default: from the settings)',
    },
    out: {
      value: 'FILE',
      text: 'file, or an existing folder; - for stdout. A CSV file begins with a byte order mark for spreadsheets',
    },
    force: forceFlag,
  },
  run: async (run) => {
    const selection = selectionOf(run);
    const options = await optionsOf(run);
    const given = {
      out: neededText(run.options, 'out'),
      isForced: isGiven(run.options, 'force'),
      isCsv: options.format === 'csv',
    };
    const isFolder = given.out !== '-' && (await isFolderAt(given.out));
    if (!isFolder) await refuseExisting(run.terminal, given);
    const place = await outputFolder(run, isFolder ? { ...given, out: join(given.out, 'case') } : given);
    const preparing = run.ask('cases.prepare', { selection, options, to: 'command-line', ...place });
    const prepared = await (selection.kind === 'query' && selection.terms.length > 0
      ? ofMatches(run.terminal, preparing)
      : preparing);
    const file = isFolder ? { ...given, out: join(given.out, basename(prepared.fileName)) } : given;
    if (isFolder) await refuseExisting(run.terminal, file);
    const bytes = await writeOut(run, file, (await run.client()).take(prepared.id));
    if (file.out !== '-') await reportWritten(run, { file: file.out, format: options.format, bytes, prepared });
    return reportLeftOut(run, prepared);
  },
};

const isFolderAt = (path: string): Promise<boolean> =>
  stat(resolve(path)).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function reportWritten(
  { terminal }: CommandRun,
  { file, format, bytes, prepared }: { file: string; format: CaseFormat; bytes: number; prepared: PreparedCase },
): Promise<void> {
  const { samples, unknown, withoutBytes } = prepared;
  if (terminal.isData) await terminal.value({ file, format, bytes, samples, unknown: unknown.count, withoutBytes });
  else await terminal.line(`${file}  ${counted(bytes, 'byte')}`);
}

function reportLeftOut({ terminal }: CommandRun, { unknown, withoutBytes }: PreparedCase): ExitCode {
  const codes: ExitCode[] = [];
  if (withoutBytes > 0) {
    terminal.complain(
      `${counted(withoutBytes, 'sample')} exported without bytes: not in the vault, or too large for an event.`,
    );
    codes.push(exitCodes.failed);
  }
  if (unknown.count > 0) {
    const more = unknown.count > unknown.hashes.length ? ', …' : '';
    terminal.complain(
      `${counted(unknown.count, 'sample')} skipped, not in the library: ${unknown.hashes.join(', ')}${more}`,
    );
    codes.push(exitCodes.notFound);
  }
  return mostSevereOf(codes);
}

function selectionOf({ args, options }: CommandRun): CaseSelection {
  const [hashes, job, isAll] = [
    textsOf(options, 'hash').map(neededHash),
    numberOf(options, 'job'),
    isGiven(options, 'all'),
  ];
  if (Number(args.length > 0) + Number(hashes.length > 0) + Number(job !== null) + Number(isAll) !== 1)
    wrongUsage('select samples with one of QUERY, --hash, --job and --all');
  if (job !== null) return { kind: 'job', id: job, filter: { states: [], find: '' } };
  return hashes.length > 0
    ? { kind: 'named', hashes }
    : {
        kind: 'query',
        terms: isAll ? [] : neededTermsOf(args, 'use --all for every sample of the library'),
        except: [],
      };
}

async function optionsOf(run: CommandRun): Promise<CaseOptions> {
  const { options } = run;
  const format = choiceOf(options, 'as', formats) ?? wrongUsage(`--as is required: ${formats.join(', ')}`);
  const withSamples = isGiven(options, 'samples');
  if (withSamples && format !== 'misp') wrongUsage('--samples needs --as misp');
  const { caseAuthor, caseTitle } = await import('../../../shared/domain/case.ts');
  return {
    format,
    title: neededLine(options, 'title', caseTitle),
    author: textOf(options, 'author') === null ? '' : neededLine(options, 'author', caseAuthor),
    tlp: choiceOf(options, 'tlp', tlpLevels),
    vouched: isGiven(options, 'vouch'),
    include: {
      notes: isGiven(options, 'notes'),
      comments: isGiven(options, 'comments'),
      hits: isGiven(options, 'hits'),
    },
    samples: withSamples ? { password: await passwordOf(run) } : null,
  };
}

function neededLine(options: CommandRun['options'], name: 'title' | 'author', form: typeof caseTitle): string {
  const { data, error } = form.safeParse(neededText(options, name).trim());
  return data ?? wrongUsage(`--${name} must be ${error?.issues[0]?.message ?? 'one line'}`);
}

async function passwordOf(run: CommandRun): Promise<string> {
  const given = await givenSecret(run, { option: 'password-file', variable: 'VITRINE_ZIP_PASSWORD' });
  return given ?? (await run.ask('settings.read', {})).values.exportPassword;
}
