import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { JournalFilter } from '../../../shared/domain/journal.ts';
import { NotedFiles } from '../../archive/export/export-file.ts';
import { durableKeyFrom } from '../../storage/journal/journal-chain.ts';
import { JournalReader } from '../../storage/journal/journal-reader.ts';
import { FileNoteStore } from '../../storage/settings/settings-store.ts';
import {
  makeTestFolder,
  openTestDatabase,
  type TestDatabase,
  type TestFolder,
} from '../../storage/testing/database.fixture.ts';
import { ReadingHere } from '../testing/readers-here.fixture.ts';
import { JournalService } from './journal-service.ts';

let folder: TestFolder;
let setup: TestDatabase;
let reader: JournalReader;
let service: JournalService;
let offered: (() => AsyncIterable<Uint8Array>)[];
beforeEach(() => {
  folder = makeTestFolder();
  setup = openTestDatabase(folder.path);
  reader = new JournalReader(new ReadingHere(setup.db.path));
  offered = [];
  const offer = ({ fileName, open }: { fileName: string; open(): AsyncIterable<Uint8Array> }) => ({
    kind: 'browser' as const,
    id: String(offered.push(open)),
    fileName,
  });
  service = new JournalService({
    journal: setup.journal,
    reader,
    files: new NotedFiles(new FileNoteStore(setup.db)),
    offer,
  });
});
afterEach(async () => {
  await reader.close();
  setup.db.close();
  folder.remove();
});

const all: JournalFilter = { operations: [], workspaceId: null, find: '', from: null, before: null };
const durable = durableKeyFrom(Buffer.alloc(32, 7));
const line = z.object({
  number: z.number(),
  time: z.string(),
  workspaceId: z.string().nullable(),
  operation: z.string(),
  hash: z.string().nullable(),
  outcome: z.string(),
  detail: z.string(),
  link: z.string(),
  sealedBy: z.string().nullable(),
  seal: z.string().nullable(),
});
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((each) => line.parse(JSON.parse(each)));
const latest = async () => (await service.list({ filter: all, offset: 0, limit: 1 })).lines[0]?.row;

function addSome(): void {
  setup.journal.useDurableKey(durable, true);
  setup.journal.append({
    workspaceId: 'lab',
    operation: 'look-up',
    hash: 'a'.repeat(32),
    outcome: 'found',
    detail: { name: '=cmd|"x"!A1\nü' },
  });
  setup.journal.append({
    workspaceId: null,
    operation: 'upload',
    hash: 'b'.repeat(32),
    outcome: 'done',
    detail: { sizeBytes: 3 },
  });
}

test('JSON Lines have every entry as stored, and the keys alone suffice to check the chain', async () => {
  addSome();
  const result = await service.export({ filter: all, format: 'jsonl', to: 'folder' }, folder.path);
  expect(result).toMatchObject({ kind: 'folder', fileName: 'journal.jsonl' });
  let before = Buffer.alloc(32);
  const rows = linesOf(readFileSync(join(folder.path, 'journal.jsonl'), 'utf8'));
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  // By the rules of docs/journal.md, with no code of this program.
  for (const { number, time, workspaceId, operation, hash, outcome, detail, link, seal } of rows) {
    const made = createHmac('sha256', setup.keys.database)
      .update(before)
      .update(JSON.stringify(['row', number, time, workspaceId, operation, hash, outcome, detail]))
      .digest();
    expect(made.toString('hex')).toBe(link);
    expect(createHmac('sha256', durable.bytes).update('["seal"]').update(made).digest('hex')).toBe(seal);
    before = made;
  }
});

test('a CSV has guarded cells and the chain fields in hexadecimal', async () => {
  addSome();
  await service.export({ filter: { ...all, operations: ['look-up'] }, format: 'csv', to: 'folder' }, folder.path);
  const [head, row, end] = readFileSync(join(folder.path, 'journal.csv'), 'utf8').split('\r\n');
  expect(head).toBe('\ufeffnumber,time,workspace_id,operation,hash,outcome,detail,link,sealed_by,seal');
  expect(row).toMatch(
    new RegExp(`^2,[^,]+Z,lab,look-up,a{32},found,"\\{""name"":.*\\}",[\\da-f]{64},${durable.id},[\\da-f]{64}$`),
  );
  expect(end).toBe('');
});

test('a row made unreadable is exported unchanged', async () => {
  addSome();
  setup.db.sql.exec("UPDATE journal SET operation = 'nonsense', detail = 'no JSON' WHERE number = 2");
  await service.export({ filter: all, format: 'jsonl', to: 'folder' }, folder.path);
  expect(linesOf(readFileSync(join(folder.path, 'journal.jsonl'), 'utf8'))[1]).toMatchObject({
    number: 2,
    operation: 'nonsense',
    detail: 'no JSON',
  });
});

test('a journal export is a row of its own, to a folder and through the browser, also when interrupted', async () => {
  addSome();
  await service.export({ filter: all, format: 'csv', to: 'folder' }, folder.path);
  expect(await latest()).toMatchObject({
    operation: 'export',
    hash: null,
    outcome: 'done',
    detail: { of: 'journal', to: 'folder', form: 'csv', rows: 3 },
  });
  await service.export({ filter: all, format: 'jsonl', to: 'browser' }, null);
  expect(offered).toHaveLength(1);
  expect((await latest())?.detail['to']).toBe('folder');
  const taken = offered[0]?.()[Symbol.asyncIterator]();
  await taken?.next();
  await taken?.return?.();
  expect(await latest()).toMatchObject({
    operation: 'export',
    outcome: 'aborted',
    detail: { to: 'browser', form: 'jsonl', rows: 4 },
  });
  await service.export({ filter: all, format: 'csv', to: 'command-line' }, null);
  const written = offered[1]?.();
  for await (const _ of written ?? []);
  expect(await latest()).toMatchObject({ operation: 'export', outcome: 'done', detail: { to: 'command-line' } });
  await expect(service.export({ filter: all, format: 'csv', to: 'folder' }, null)).rejects.toMatchObject({
    failure: { kind: 'no-export-folder' },
  });
  expect(await service.verify()).toEqual({ rows: 6, assurance: 'tampering', broken: null });
});

test('a journal of many pages is exported completely', async () => {
  setup.journal.appendAll(
    Array.from({ length: 1234 }, (_, index) => ({
      workspaceId: 'lab',
      operation: 'scan' as const,
      hash: null,
      outcome: `${index}`,
    })),
  );
  await service.export({ filter: all, format: 'jsonl', to: 'folder' }, folder.path);
  expect(linesOf(readFileSync(join(folder.path, 'journal.jsonl'), 'utf8')).map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 1234 }, (_, index) => `${index}`),
  );
});
