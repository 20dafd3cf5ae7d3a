import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { changedJson, jsonOfNames } from '../../../shared/testing/changed-json.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { textForm } from '../../../shared/testing/input-forms.ts';
import { readBackupList } from './backup-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-list-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const paths = [
  'vitrine.db',
  'vault/aa/x',
  '../x',
  'a/../../x',
  '/etc/passwd',
  'C:\\x',
  '..',
  '.',
  '',
  'a//b',
  'a/',
  'vitrine.db-wal',
  'LOCK.db',
  'lab/lab.lock',
  'Logs/x',
  'vault/incoming/x',
  'a/b/c/d.unfinished',
  'x.part',
  'staging/x.part',
  'a\0b',
  'x'.repeat(300),
  `${'d/'.repeat(3000)}x`,
  '__proto__',
  'con',
  '\ud800',
];
const sound = [
  { folder: 'vault' },
  { path: 'vitrine.db', sizeBytes: 3, changedMs: null, sha256: 'a'.repeat(64) },
  { path: 'vault/aa/x', sizeBytes: 0, changedMs: 1.5, sha256: 'b'.repeat(64) },
];
const names = ['folder', 'path', 'sizeBytes', 'changedMs', 'sha256'];
const values = [...paths, 'a'.repeat(64), 2 ** 53, 8.64e15, -1];
const line = fc
  .oneof(changedJson(sound, names, values), jsonOfNames(names, values))
  .map((json) => JSON.stringify(json));
/** Only directly in the folder: in subfolders these names have no meaning. */
const namesOfARun = [
  /(?:vitrine|lab\/lab)\.db-(?:wal|shm|journal)/,
  /logs|page|lock\.db|lab\/lab\.lock/,
  /(?:lab\/)?vault\/incoming/,
];
const ofARun = new RegExp(`^(?:${namesOfARun.map(({ source }) => source).join('|')})(?:/|$)`, 'i');
const words = [
  '{',
  '}',
  '"path":',
  '"folder":',
  '"..',
  '/',
  '\\u0000',
  '\n',
  ',',
  ...paths.filter((path) => path.length < 40),
];

export const target = fuzzTarget({
  name: 'backup-list',
  reads: 'the file list of a backup on any disk',
  holds:
    'no invalid path and none out of the folder or into live data; valid sizes and times; other lines are ' +
    'reported as damaged',
  form: textForm(words),
  seeds: [sound.map((entry) => `${JSON.stringify(entry)}\n`).join('')],
  made: fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')),
  async attack(text) {
    const path = join(folder, 'list.jsonl');
    writeFileSync(path, text);
    let reported = 0;
    for await (const entry of readBackupList(path)) {
      reported += 1;
      if (entry === null) continue;
      const place = 'folder' in entry ? entry.folder : entry.path;
      mustHold(resolve('/root', place).startsWith(`/root${sep}`), `it leads to ${JSON.stringify(place.slice(0, 100))}`);
      mustHold(
        !/(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(place) && !ofARun.test(place.split(sep).join('/')),
        'it leads into what runs there',
      );
      mustHold(
        'folder' in entry ||
          (entry.sizeBytes >= 0 && (entry.changedMs === null || !Number.isNaN(new Date(entry.changedMs).getTime()))),
        'its size or its time is none',
      );
    }
    mustHold(reported <= text.split('\n').length, 'there are more entries than lines');
  },
});
