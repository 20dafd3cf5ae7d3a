import { statfsSync } from 'node:fs';
import {
  arch,
  availableParallelism,
  freemem,
  homedir,
  hostname,
  platform,
  release,
  totalmem,
  uptime,
  userInfo,
} from 'node:os';
import { basename } from 'node:path';
import { z } from 'zod';
import { migrations } from '../../storage/migrations/migrations.ts';

export interface ProgramFacts {
  version: string;
  /** Of the npm packages that scan. */
  engines: Readonly<Record<string, string>>;
  /** null: a command that opened nothing. */
  host: { kind: 'desktop' | 'web'; isPackaged: boolean } | null;
  dataDirectory: string;
  /** What only a program that runs can say. */
  running: Readonly<Record<string, unknown>>;
}

/** The program and the computer it runs on, in versions and numbers. */
export function aboutFacts({ version, engines, host, dataDirectory, running }: ProgramFacts): object {
  return {
    vitrine: {
      version,
      madeBy: host === null ? 'a command that read the data offline' : 'the running program',
      host: host?.kind ?? null,
      package: packageKind(host?.isPackaged ?? false),
      schemaVersion: migrations.length,
    },
    versions: { ...engines, ...ownVersions() },
    system: {
      platform: platform(),
      release: short(release()),
      architecture: arch(),
      locale: Intl.DateTimeFormat().resolvedOptions().locale,
      processors: availableParallelism(),
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      upSeconds: Math.round(uptime()),
    },
    process: { upSeconds: Math.round(process.uptime()), memory: process.memoryUsage() },
    dataDirectory: diskFacts(dataDirectory),
    running,
  };
}

const reported = ['node', 'electron', 'chrome', 'v8', 'sqlite', 'openssl', 'zlib', 'uv', 'modules'] as const;

function ownVersions(): Record<string, string> {
  const versions = z.record(z.string(), z.string().optional()).parse({ ...process.versions });
  return Object.fromEntries(reported.flatMap((name) => (versions[name] === undefined ? [] : [[name, versions[name]]])));
}

/** As electron-builder packs it, and where each of its packages lies. */
function packageKind(isPackaged: boolean): string {
  if (!isPackaged) return 'checkout';
  if (process.env['APPIMAGE'] !== undefined) return 'AppImage';
  if (process.platform === 'linux') return process.execPath.startsWith('/opt/') ? 'deb' : 'unpacked';
  return process.platform === 'win32' ? 'NSIS' : 'dmg';
}

/** Sizes in bytes, of the disk that the data lies on. `type` is the number that Linux gives a kind of file system. */
function diskFacts(directory: string): object {
  try {
    const { bsize, blocks, bavail, type } = statfsSync(directory);
    return { diskBytes: bsize * blocks, freeDiskBytes: bsize * bavail, type };
  } catch (error) {
    return { missing: error instanceof Error && 'code' in error ? error.code : 'unknown' };
  }
}

/** A kernel may be called anything by who built it. */
const short = (text: string): string => /^\d+(?:\.\d+){1,3}/.exec(text)?.[0] ?? 'unknown';

/** Names of this computer and its person that must not leave. */
export function ownNames(dataDirectory: string): string[] {
  const home = homedir();
  return [dataDirectory, home, basename(home), hostname(), userName()].filter((name) => name !== '');
}

/** A user without an entry in the system's list has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
