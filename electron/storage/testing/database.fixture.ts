import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { JournalKeys } from '../journal/journal-chain.ts';
import { Journal } from '../journal/journal.ts';
import { migratedData } from './migrated-data.fixture.ts';

export interface TestFolder {
  path: string;
  remove(): void;
}

export function makeTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-storage-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface TestDatabase {
  db: Database;
  keys: JournalKeys;
  journal: Journal;
}

/** A database with its journal, as `openStores` makes them where no token store is durable. */
export function openTestDatabase(folder: string): TestDatabase {
  const db = openDatabase(migratedData(folder));
  // No test cuts the power: without the syncs a thousand rows take a moment on a busy disk too.
  db.sql.exec('PRAGMA synchronous = OFF');
  const keys = new JournalKeys(db);
  return { db, keys, journal: new Journal(db, keys) };
}

const emptyRecord: SampleRecord = {
  md5: null,
  sha1: null,
  sha256: null,
  name: null,
  sizeBytes: null,
  date: null,
  uploader: null,
  threat: null,
  criticity: null,
  mime: null,
  favorite: null,
  locked: null,
  tags: [],
  urls: [],
  comments: [],
  commentsOmitted: 0,
  listsComments: false,
  virusTotal: { state: null, score: null, link: null },
  sandbox: { state: null, link: null },
  ssdeep: null,
  imphash: null,
  pdbPath: null,
  signer: null,
  warning: null,
  unknown: {},
};

export const recordWith = (facts: Partial<SampleRecord>): SampleRecord => ({ ...emptyRecord, ...facts });
