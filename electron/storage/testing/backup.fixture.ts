import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../../../shared/failure.ts';
import { readBackupFile, takeBackupFolder } from '../backup/backup-folder.ts';
import { readBackupList } from '../backup/backup-list.ts';
import { type BackupFollower, makeBackup } from '../backup/backup-making.ts';
import { openTestDatabase } from './database.fixture.ts';

/** Six files that a backup has, and files of a run, which it has not. */
export function fillData(data: string): void {
  const put = (path: string, bytes: string | Buffer): void => writeFileSync(join(data, path), bytes);
  for (const name of ['vault/ab', 'vault/packs', 'vault/incoming', 'lab', 'page', 'staging', 'logs', 'packages/team'])
    mkdirSync(join(data, name), { recursive: true, mode: 0o700 });
  put('vault/ab/sample', Buffer.alloc(3 * 1024 * 1024, 'sample'));
  put('vault/packs/one.pack', 'packed');
  put('vault/packs/two.part', 'not known yet');
  put('vault/incoming/half.part', 'half');
  put('staging/id.part', 'of a draft');
  put('packages/team/package', 'rules');
  put('tokens.sealed', '{}');
  put('logs/vitrine.log', 'log');
  put('page/Cookies', 'browser');
}

export async function makeBackupOf(
  { data, backup, installation }: { data: string; backup: string; installation: string },
  follower: Partial<BackupFollower> = {},
): Promise<{ copied: number; files: number }> {
  const reported = { copied: 0, files: 0 };
  const to = await takeBackupFolder(backup, { data, installation });
  await makeBackup(
    { from: data, to, installation, version: '1.0.0' },
    {
      planned: () => {},
      read: () => {},
      file: () => {},
      lost: () => {},
      whole: ({ copied, files }) => void Object.assign(reported, { copied, files }),
      ...follower,
    },
  );
  return reported;
}
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

export function filesIn(directory: string, except: RegExp): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    names
      .filter((name) => !except.test(name) && statSync(join(directory, name)).isFile())
      .map((name) => [name, readFileSync(join(directory, name)).toString('base64')]),
  );
}
export const ofARun = /lock\.db|vitrine\.db|^logs|^page|^vault.incoming|two\.part/;

/** The SHA-256s of the current state, by path. */
export async function listedIn(backup: string): Promise<Map<string, string>> {
  const name = (await readBackupFile(backup))?.whole?.list.name ?? '';
  const found = new Map<string, string>();
  for await (const line of readBackupList(join(backup, name)))
    if (line !== null && 'path' in line) found.set(line.path, line.sha256);
  return found;
}

/** Opens what was restored. @returns the hashes of its journal, and whether that holds */
export function journalOf(directory: string): { rows: unknown[]; broken: unknown } {
  const restored = openTestDatabase(directory);
  try {
    const rows = restored.db.sql
      .prepare("SELECT hash FROM journal WHERE operation = 'look-up' ORDER BY number")
      .all()
      .map(({ hash }) => hash);
    return { rows, broken: restored.journal.verify().broken };
  } finally {
    restored.db.close();
  }
}
