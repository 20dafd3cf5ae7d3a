import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BulkFaults, startBulkFaults } from './faults/bulk-faults.ts';
import { type FieldDialectOptions, startFieldDialect } from './faults/field-dialect.ts';
import { type RulesDialect, startRulesDialect } from './faults/rules-dialect.ts';
import { startUploadFaults, type UploadFaults } from './faults/upload-faults.ts';
import { type GeneratedSample, generatedSamples } from './generated-samples.ts';
import { type LabPlace, openLabPlace } from './lab-place.ts';

/** A team's repository as the field has it: a lab of its own, reached through the field dialect. */
export interface FieldServer {
  baseUrl: string;
  token: string;
  /** The same lab without the dialect. */
  labUrl: string;
  /** One more token of this lab. `rights` as the lab's command takes them, joined by commas. */
  makeToken(rights: string): Promise<string>;
  stop(): Promise<void>;
}

export interface TeamOptions {
  /** How many generated samples it has besides the lab's sample files. */
  samples?: number;
  /** How many more that its token may not download. */
  restricted?: number;
  /** Paths of files that it has besides. */
  files?: readonly string[];
  /** Whether it speaks as the field does, and how; `false` is the lab as it is. */
  dialect?: boolean | Omit<FieldDialectOptions, 'target' | 'port'>;
  /** What its token may do, joined by commas; reading and downloading when left out. */
  rights?: string;
}

export interface Team extends FieldServer {
  /** MD5s in the order they were made. */
  samples: string[];
  restricted: string[];
  /** The proxy at `baseUrl`: it passes everything on until it is set otherwise, and records the requests. */
  faults: BulkFaults;
  /** The same for uploads and comments, at an address of its own (`uploads.baseUrl`), before the same service. */
  uploads: UploadFaults;
}

const usualRights = 'read,download';

/**
 * The lab's data lies in the folder given, or on the servers of a team (`openLabPlace`); the client's way is faults,
 * dialect, lab.
 */
export async function startTeam(
  dataDirectory: string,
  { samples = 0, restricted = 0, files = [], dialect = false, rights = usualRights }: TeamOptions = {},
): Promise<Team> {
  const open = generatedSamples(samples, 'sample');
  const closed = generatedSamples(restricted, 'restricted');
  const place = await openLabPlace(dataDirectory, rights);
  if (files.length > 0) await place.command('add', ...files);
  await addToLab(place, open);
  await addToLab(place, closed, '--restricted');
  const lab = await place.serve();
  const { labUrl, token } = lab;
  const spoken =
    dialect === false ? null : await startFieldDialect({ target: labUrl, ...(dialect === true ? {} : dialect) });
  const target = spoken?.baseUrl ?? labUrl;
  const [faults, uploads] = await Promise.all([startBulkFaults({ target }), startUploadFaults({ target })]);
  return {
    baseUrl: faults.baseUrl,
    labUrl,
    token,
    faults,
    uploads,
    makeToken: (more) => place.makeToken(more),
    samples: open.map(({ md5 }) => md5),
    restricted: closed.map(({ md5 }) => md5),
    stop: async () => void (await Promise.all([faults.close(), uploads.close(), spoken?.close(), lab.stop()])),
  };
}

export async function startFieldServer(dataDirectory: string): Promise<FieldServer> {
  const place = await openLabPlace(dataDirectory, usualRights);
  const lab = await place.serve();
  const { labUrl, token } = lab;
  const dialect = await startFieldDialect({ target: labUrl });
  return {
    baseUrl: dialect.baseUrl,
    token,
    labUrl,
    makeToken: (rights) => place.makeToken(rights),
    stop: async () => void (await Promise.all([dialect.close(), lab.stop()])),
  };
}

async function addToLab(place: LabPlace, samples: readonly GeneratedSample[], ...options: string[]): Promise<void> {
  if (samples.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-generated-'));
  try {
    const paths = samples.map(({ name }) => join(folder, name));
    for (const [index, { bytes }] of samples.entries()) await writeFile(paths[index] ?? '', bytes);
    await place.command('add', ...paths, ...options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function publishInLab(place: LabPlace, { version, text }: { version: string; text: string }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-rules-'));
  try {
    await writeFile(join(folder, 'mine.yar'), text);
    await place.command('publish', '--version', version, '--group', 'Release', join(folder, 'mine.yar'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A team's rule editor: a lab of its own, behind the field dialect where that is wanted. */
export interface RulesTeam {
  /** Of the rule editor. */
  baseUrl: string;
  repositoryUrl: string;
  token: string;
  /** What was asked through the dialect; nothing without one. */
  calls: readonly string[];
  stop(): Promise<void>;
}

export interface RulesTeamOptions {
  /** How its rule editor names things; the lab's own names when left out. */
  names?: 'other' | 'unmapped';
  /** What its token may do, joined by commas; reading and downloading when left out. */
  rights?: string;
  /** Published besides, as a Release that is newer than the starter rules. */
  rules?: { version: string; text: string };
}

/** Its publications are the starter rules: a Release and a newer Test. */
export async function startRulesTeam(
  dataDirectory: string,
  { names, rights = usualRights, rules }: RulesTeamOptions = {},
): Promise<RulesTeam> {
  const place = await openLabPlace(dataDirectory, rights);
  if (rules !== undefined) await publishInLab(place, rules);
  const lab = await place.serve();
  const { labUrl, token } = lab;
  const target = labUrl.replace(/repository$/, 'rules');
  const dialect: RulesDialect | null = names === undefined ? null : await startRulesDialect({ target, names });
  return {
    baseUrl: dialect?.baseUrl ?? target,
    repositoryUrl: labUrl,
    token,
    calls: dialect?.calls ?? [],
    stop: async () => void (await Promise.all([dialect?.close(), lab.stop()])),
  };
}
