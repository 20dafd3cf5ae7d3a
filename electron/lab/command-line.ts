import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { labPublication, type LabPublication, labRight, type LabRight, labRights } from '../../shared/domain/lab.ts';
import { type FormLimits, readTags, usualFormLimits } from './form-fields.ts';

const defaultLabPort = 47118;

export const labUsage = `Usage: npm run lab -- [command] [options]
  (no command)                serve on 127.0.0.1 until Ctrl-C
      --port N                port (default ${defaultLabPort}, 0 for any free one)
      --max-files N           files in one upload (default ${usualFormLimits.files})
      --max-fields N          other fields in one upload (default ${usualFormLimits.fields})
      --max-file-size SIZE    one file, such as 500M: bytes, or K, M, G (default 16G)
      --max-request-size SIZE one whole upload (default 32G)
      --max-field-size SIZE   one text field of an upload, or one comment (default 1M)
      --package-password-file FILE
                              password of encrypted packages, in its first line
                              (default: no encrypted packages)
  add FILE...                 add files; the lab must not be running
      --name NAME             use this file name (one file only)
      --tags a,b              tags, separated by commas
      --restricted            only for tokens with the right "restricted"
  publish --version V --group Release|Test PATH...
                              publish rule files, ZIPs and folders; all rules must
                              compile, and the lab must not be running
      --leave-out-broken      skip and list rules that do not compile
      --convert               convert Latin-1, and UTF-16 without a mark, to UTF-8
      --root DIR              file names relative to this folder (default: base names)
  token add --rights a,b      create a token and print it once; rights:
                              ${labRights.join(', ')}
                              (restricted: bytes of restricted samples; their
                              records need no right but read)
      --name NAME             its owner
  token list                  list tokens: number, name, rights, date, last use
  token remove NUMBER         revoke a token
  sweep                       remove bytes that no sample has, such as those of a killed
                              lab; the lab must not be running, and does so every hour
      --older-than HOURS      (default 24)
  verify                      read all bytes back; lists what is damaged, and bytes that
                              no sample has; the lab must not be running
      --quick                 only the beginning of each
Everywhere:
      --data DIR              the lab's data directory (default: "lab" in Vitrine's own)
For a team, over PostgreSQL and an S3-compatible store: npm run lab -- serve --help`;

export type LabCommand = { dataDirectory: string } & LabTask;

export type LabTask =
  | { kind: 'serve'; port: number; limits: FormLimits; passwordFile: string | null }
  | { kind: 'add'; files: { path: string; name: string }[]; tags: string[]; restricted: boolean }
  | {
      kind: 'publish';
      version: string;
      group: LabPublication['group'];
      files: { path: string; name: string }[];
      leavesOutBroken: boolean;
      converts: boolean;
    }
  | { kind: 'token-add'; rights: LabRight[]; name: string }
  | { kind: 'token-list' }
  | { kind: 'token-remove'; id: number }
  | { kind: 'sweep'; olderThanMs: number }
  | { kind: 'verify'; isQuick: boolean };

/** Arguments that make no command. The message is one line for a person. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

/** The owner of a token that was given none. */
export const unnamed = 'unnamed';
const longestName = 1024;
const limitNames = ['max-files', 'max-fields', 'max-file-size', 'max-request-size', 'max-field-size'] as const;
const passwordOption = 'package-password-file';
const bytesOf = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 } as const;
/** A text is held in memory. */
const longestField = bytesOf.M * 64;
export const texts = (...names: string[]): ParseArgsOptionsConfig =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

/** Reads the arguments after the program's name; null asks for the usage. Throws WrongArguments. */
export function readLabArguments(args: string[], defaultDirectory: string): LabCommand | null {
  if (args.includes('--help') || args.includes('-h')) return null;
  const [verb = '', noun = ''] = args;
  if (verb === 'add') return readAdd(args.slice(1), defaultDirectory);
  if (verb === 'publish') return readPublish(args.slice(1), defaultDirectory);
  if (verb === 'token') return readToken(noun, args.slice(2), defaultDirectory);
  if (verb === 'sweep') return readSweep(args.slice(1), defaultDirectory);
  if (verb === 'verify') return readVerify(args.slice(1), defaultDirectory);
  if (verb !== '' && !verb.startsWith('-')) throw new WrongArguments(`Unknown command "${verb}"; --help lists them.`);
  const { values } = parse(args, texts('port', 'data', passwordOption, ...limitNames));
  const passwordFile = values[passwordOption] ?? null;
  if (passwordFile === '') throw new WrongArguments(`--${passwordOption} takes a file.`);
  return {
    kind: 'serve',
    port: readPort(values['port']),
    limits: readLimits(values),
    passwordFile: passwordFile === null ? null : resolve(passwordFile),
    dataDirectory: directoryOf(values, defaultDirectory),
  };
}

function readAdd(args: string[], defaultDirectory: string): LabCommand {
  const { values, positionals, switches } = parse(args, {
    ...texts('name', 'tags', 'data'),
    restricted: { type: 'boolean' },
  });
  if (positionals.length === 0) throw new WrongArguments('add needs at least one file.');
  const name = values['name'];
  if (name !== undefined && positionals.length > 1) throw new WrongArguments('--name fits one file only.');
  const files = positionals.map((path) => ({ path: resolve(path), name: readName(name ?? basename(path)) }));
  const tags = readTags(values['tags'] ?? '', (words) => new WrongArguments(words));
  return {
    kind: 'add',
    files,
    tags,
    restricted: switches.has('restricted'),
    dataDirectory: directoryOf(values, defaultDirectory),
  };
}

function readPublish(args: string[], defaultDirectory: string): LabCommand {
  const { values, positionals, switches } = parse(args, {
    ...texts('version', 'group', 'root', 'data'),
    'leave-out-broken': { type: 'boolean' },
    convert: { type: 'boolean' },
  });
  if (positionals.length === 0) throw new WrongArguments('publish needs at least one file.');
  const version = labPublication.shape.version.safeParse(values['version']);
  if (!version.success)
    throw new WrongArguments(
      '--version takes letters, digits, ".", "-", "_" and "+", at most 64, the first a letter or digit.',
    );
  const group = labPublication.shape.group.safeParse(values['group']);
  if (!group.success) throw new WrongArguments('--group takes Release or Test.');
  const files = positionals.map((path) => ({ path: resolve(path), name: nameUnder(values['root'], path) }));
  return {
    kind: 'publish',
    version: version.data,
    group: group.data,
    files,
    leavesOutBroken: switches.has('leave-out-broken'),
    converts: switches.has('convert'),
    dataDirectory: directoryOf(values, defaultDirectory),
  };
}

/** What a file is called in a package, with `/` between the folders. */
function nameUnder(root: string | undefined, path: string): string {
  if (root === undefined) return basename(path);
  const name = relative(resolve(root), resolve(path));
  if (name === '' || isAbsolute(name) || name.split(sep)[0] === '..')
    throw new WrongArguments(`${path} is not in the --root folder.`);
  return name.split(sep).join('/');
}

function readToken(noun: string, args: string[], defaultDirectory: string): LabCommand {
  const { values, positionals } = parse(args, noun === 'add' ? texts('rights', 'name', 'data') : texts('data'));
  const dataDirectory = directoryOf(values, defaultDirectory);
  const [first, ...more] = positionals;
  if (more.length > 0 || (first !== undefined && noun !== 'remove'))
    throw new WrongArguments(`"${more[0] ?? first}" is an extra argument.`);
  switch (noun) {
    case 'add':
      return {
        kind: 'token-add',
        rights: readRights(values['rights']),
        name: readName(values['name'] ?? unnamed),
        dataDirectory,
      };
    case 'list':
      return { kind: 'token-list', dataDirectory };
    case 'remove':
      return { kind: 'token-remove', id: readNumber(first), dataDirectory };
    default:
      throw new WrongArguments('Use token add, list or remove.');
  }
}

const hourMs = 3_600_000;

function readSweep(args: string[], defaultDirectory: string): LabCommand {
  const { values, positionals } = parse(args, texts('older-than', 'data'));
  if (positionals.length > 0) throw new WrongArguments(`"${positionals[0]}" is an extra argument.`);
  const hours = values['older-than'] ?? '24';
  if (!/^\d{1,5}$/.test(hours)) throw new WrongArguments(`--older-than takes a number of hours, not "${hours}".`);
  return { kind: 'sweep', olderThanMs: Number(hours) * hourMs, dataDirectory: directoryOf(values, defaultDirectory) };
}

function readVerify(args: string[], defaultDirectory: string): LabCommand {
  const { values, positionals, switches } = parse(args, { ...texts('data'), quick: { type: 'boolean' } });
  if (positionals.length > 0) throw new WrongArguments(`"${positionals[0]}" is an extra argument.`);
  return { kind: 'verify', isQuick: switches.has('quick'), dataDirectory: directoryOf(values, defaultDirectory) };
}

export interface ReadArguments {
  values: Record<string, string | undefined>;
  /** Options without a value that were given. */
  switches: Set<string>;
  positionals: string[];
}

export function parse(args: string[], options: ParseArgsOptionsConfig): ReadArguments {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const given = Object.entries(values).map(
      ([name, value]) => [name, typeof value === 'string' ? value : undefined] as const,
    );
    const switches = new Set(Object.keys(values).filter((name) => values[name] === true));
    return { values: Object.fromEntries<string | undefined>(given), switches, positionals };
  } catch (error) {
    // Node's own sentence, without its advice on how to quote.
    throw new WrongArguments(error instanceof Error ? (error.message.split(/\.\s|\n/)[0] ?? '') : String(error));
  }
}

function directoryOf(values: Record<string, string | undefined>, defaultDirectory: string): string {
  if (values['data'] === '') throw new WrongArguments('--data takes a folder.');
  return resolve(values['data'] ?? defaultDirectory);
}

function readPort(text: string | undefined): number {
  if (text === undefined) return defaultLabPort;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new WrongArguments(`--port takes a number from 0 to 65535, not "${text}".`);
  return Number(text);
}

function readLimits(values: Record<string, string | undefined>): FormLimits {
  const limit = (name: (typeof limitNames)[number], usual: number, most: number): number =>
    readLimit(name, values[name], usual, most);
  return {
    files: limit('max-files', usualFormLimits.files, 10_000),
    fields: limit('max-fields', usualFormLimits.fields, 100_000),
    fileBytes: limit('max-file-size', usualFormLimits.fileBytes, Number.MAX_SAFE_INTEGER),
    requestBytes: limit('max-request-size', usualFormLimits.requestBytes, Number.MAX_SAFE_INTEGER),
    fieldBytes: limit('max-field-size', usualFormLimits.fieldBytes, longestField),
  };
}

function readLimit(name: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual;
  const isSize = name.endsWith('-size');
  const [, digits, unit = ''] = /^(\d{1,15})([KMG]?)$/.exec(text) ?? [];
  const value = Number(digits) * (unit === 'K' || unit === 'M' || unit === 'G' ? bytesOf[unit] : 1);
  if (!(value >= 1 && value <= most) || (!isSize && unit !== ''))
    throw new WrongArguments(
      `--${name} takes ${isSize ? 'a size such as 500M' : 'a number'}, at most ${most}, not "${text}".`,
    );
  return value;
}

function readNumber(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new WrongArguments('token remove needs a number from "token list".');
  return Number(text);
}

function readRights(text: string | undefined): LabRight[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const rights = names.map((name) => labRight.safeParse(name).data ?? null);
  const wrong = rights.indexOf(null);
  if (wrong !== -1)
    throw new WrongArguments(
      `--rights takes some of ${labRights.join(', ')}, separated by commas, not "${names[wrong] ?? ''}".`,
    );
  return [...new Set(rights.filter((right) => right !== null))];
}

function readName(name: string): string {
  if (name.trim() === '' || name.length > longestName)
    throw new WrongArguments(`A name has 1 to ${longestName} characters.`);
  return name;
}
