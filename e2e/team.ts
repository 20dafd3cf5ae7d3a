import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BulkFaults, startBulkFaults } from './faults/bulk-faults.ts';
import { type FieldDialectOptions, startFieldDialect } from './faults/field-dialect.ts';
import { type GeneratedSample, generatedSamples } from './generated-samples.ts';
import { type Program, startProgram } from './program.ts';

/** A team's repository as the field has it: a lab of its own, reached through the field dialect. */
export interface FieldServer {
  baseUrl: string;
  token: string;
  /** The same lab without the dialect. */
  labUrl: string;
  stop(): Promise<void>;
}

export interface TeamOptions {
  /** How many generated samples it has besides the specimens. */
  samples?: number;
  /** How many more that its token may not download. */
  restricted?: number;
  /** Whether it speaks as the field does, and how; `false` is the lab as it is. */
  dialect?: boolean | Omit<FieldDialectOptions, 'target' | 'port'>;
}

export interface Team extends FieldServer {
  /** MD5s in the order they were made. */
  samples: string[];
  restricted: string[];
  /** What `baseUrl` stands behind: it passes everything on until it is told otherwise, and knows what was asked for. */
  faults: BulkFaults;
}

/** The lab's data lies in the folder given; the client's way is faults, dialect, lab. */
export async function startTeam(dataDirectory: string, { samples = 0, restricted = 0, dialect = false }: TeamOptions = {}): Promise<Team> {
  const open = generatedSamples(samples, 'sample');
  const closed = generatedSamples(restricted, 'restricted');
  await addToLab(dataDirectory, open);
  await addToLab(dataDirectory, closed, '--restricted');
  const { lab, labUrl, token } = await startLab(dataDirectory);
  const spoken = dialect === false ? null : await startFieldDialect({ target: labUrl, ...(dialect === true ? {} : dialect) });
  const faults = await startBulkFaults({ target: spoken?.baseUrl ?? labUrl });
  return {
    baseUrl: faults.baseUrl, labUrl, token, faults,
    samples: open.map(({ md5 }) => md5),
    restricted: closed.map(({ md5 }) => md5),
    stop: async () => void (await Promise.all([faults.close(), spoken?.close(), lab.stop()])),
  };
}

export async function startFieldServer(dataDirectory: string): Promise<FieldServer> {
  const { lab, labUrl, token } = await startLab(dataDirectory);
  const dialect = await startFieldDialect({ target: labUrl });
  return { baseUrl: dialect.baseUrl, token, labUrl, stop: async () => void (await Promise.all([dialect.close(), lab.stop()])) };
}

async function addToLab(dataDirectory: string, samples: readonly GeneratedSample[], ...options: string[]): Promise<void> {
  if (samples.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-generated-'));
  try {
    const paths = samples.map(({ name }) => join(folder, name));
    for (const [index, { bytes }] of samples.entries()) await writeFile(paths[index] ?? '', bytes);
    const adding = startProgram('electron/lab.ts', ['add', ...paths, ...options, '--data', dataDirectory]);
    if ((await adding.exited) !== 0) throw new Error(`the lab did not take the samples:\n${adding.output()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startLab(dataDirectory: string): Promise<{ lab: Program; labUrl: string; token: string }> {
  const lab = startProgram('electron/lab.ts', ['--port', '0', '--data', dataDirectory]);
  const [, labUrl = ''] = await lab.printed(/(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/);
  return { lab, labUrl, token: await makeToken(dataDirectory) };
}

async function makeToken(dataDirectory: string): Promise<string> {
  const made = startProgram('electron/lab.ts', ['token', 'add', '--rights', 'read,download', '--data', dataDirectory]);
  const [, token = ''] = await made.printed(/^([0-9A-Za-z_-]{32,})$/m);
  await made.exited;
  return token;
}
