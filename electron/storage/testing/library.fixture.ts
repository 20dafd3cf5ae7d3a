import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { betweenValues, isWordless } from '../database/search-expression.ts';
import type { ValueField } from '../library/stated-values.ts';

/** A row of the library as its writers leave it, whatever they had to do for that. */
export interface StockedSample {
  number: number;
  /** Its row is known by its MD5 alone. */
  isAlone: boolean;
  name: string | null;
  type: string | null;
  ownTags: string[];
  serviceTags: string[];
  comment: string | null;
  threat: string | null;
  note: string | null;
  sizeBytes: number | null;
  comments: number;
  tlp: number | null;
  /** As `sample.severity` has it. */
  severity: number | null;
  /** A record of it was read; else, where it has a SHA-256, one of other bytes with its MD5. */
  isRecorded: boolean;
  rules: string[];
  inVault: boolean;
  damage: 'missing' | 'altered' | null;
  firstSeen: string;
  lastSeen: string;
  /** What records state, by field, as it is compared. */
  values: [ValueField, string][];
}

const workspaces = ['a', 'b'] as const;
export const workspaceOfRecords = 'Main lab';
const digest = (kind: 'md5' | 'sha1' | 'sha256', number: number): string =>
  createHash(kind).update(String(number)).digest('hex');
export const hashesOf = ({ number, isAlone }: Pick<StockedSample, 'number' | 'isAlone'>) => ({
  md5: digest('md5', number),
  sha1: isAlone ? null : digest('sha1', number),
  sha256: isAlone ? null : digest('sha256', number),
});
export const tagsOf = ({ ownTags, serviceTags }: Pick<StockedSample, 'ownTags' | 'serviceTags'>): string[] => [
  ...new Set([...ownTags, ...serviceTags]),
];

const time = '2026-01-01T00:00:00.000Z';

/** Of which nothing is known but its hashes and, unless said otherwise, its size: as many bytes as its number. */
export const plainSample = (number: number, facts: Partial<StockedSample> = {}): StockedSample => ({
  number,
  isAlone: false,
  name: null,
  type: null,
  ownTags: [],
  serviceTags: [],
  comment: null,
  threat: null,
  note: null,
  sizeBytes: number,
  comments: 0,
  tlp: null,
  severity: null,
  isRecorded: false,
  rules: [],
  inVault: false,
  damage: null,
  firstSeen: time,
  lastSeen: time,
  values: [],
  ...facts,
});

/**
 * Puts samples into the tables by SQL: what is tested reads them, however they came there. A rule is seen by both
 * workspaces in turn.
 */
export function stockLibrary({ sql }: Database, samples: readonly StockedSample[]): void {
  sql.exec(
    `BEGIN; DELETE FROM sample; DELETE FROM record; DELETE FROM comment; DELETE FROM sample_own; DELETE FROM note_text;
      DELETE FROM workspace; DELETE FROM sample_tag; DELETE FROM sample_hit;
      DELETE FROM hit_sample; DELETE FROM hit_rule`,
  );
  sql
    .prepare('INSERT INTO workspace (id, body) VALUES (?, ?)')
    .run(workspaces[0], JSON.stringify({ name: workspaceOfRecords }));
  for (const sample of samples) stockSample(sql, sample);
  sql.exec('COMMIT');
}

function stockSample(sql: Database['sql'], sample: StockedSample): void {
  const { md5, sha1, sha256 } = hashesOf(sample);
  const tags = tagsOf(sample);
  const id = sql
    .prepare(
      `INSERT INTO sample (id, md5, sha1, sha256, size_bytes, verified, in_vault, first_seen, last_seen, name, type,
        tags, tlp, severity, threat, hits, comments, has_note, damage)
    VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      sample.number,
      md5,
      sha1,
      sha256,
      sample.sizeBytes,
      Number(sample.inVault),
      sample.firstSeen,
      sample.lastSeen,
      sample.name,
      sample.type,
      `,${tags.map((one) => `${one},`).join('')}`,
      sample.tlp,
      sample.severity,
      sample.threat,
      sample.rules.length,
      sample.comments,
      Number(sample.note !== null),
      sample.damage,
    ).lastInsertRowid;
  sql
    .prepare('INSERT INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      id,
      sample.name ?? '',
      [md5, sha1, sha256].filter((hash) => hash !== null).join(betweenValues),
      tags.join(betweenValues),
      sample.comment ?? '',
      sample.threat ?? '',
    );
  for (const [field, value] of [...sample.values, ...wordlessOf(sample)]) {
    sql.prepare('INSERT OR IGNORE INTO known_value (field, value) VALUES (?, ?)').run(field, value);
    sql
      .prepare('INSERT INTO sample_value SELECT known_value.id, ? FROM known_value WHERE field = ? AND value = ?')
      .run(id, field, value);
  }
  stockComment(sql, md5, sample.comment);
  if (sample.isRecorded || sha256 !== null) stockRecord(sql, md5, sample.isRecorded ? sha256 : 'f'.repeat(64));
  if (sha256 === null) return;
  for (const one of sample.ownTags) sql.prepare('INSERT INTO sample_tag VALUES (?, ?)').run(sha256, one);
  stockNote(sql, sha256, sample.note);
  for (const [index, rule] of sample.rules.entries())
    stockHit(sql, { sha256, rule, workspace: workspaces[index % 2] ?? workspaces[0] });
}

/** What no word leads to is found as a whole. */
const wordlessOf = ({ name, threat }: StockedSample): [ValueField, string][] =>
  Object.entries({ name, threat } as const).flatMap(([field, value]): [ValueField, string][] =>
    value !== null && isWordless(value) && (field === 'name' || field === 'threat') ? [[field, value]] : [],
  );

function stockComment(sql: Database['sql'], md5: string, content: string | null): void {
  if (content === null) return;
  const number = sql
    .prepare("INSERT INTO comment (workspace_id, md5, place, id, content, sort_time) VALUES (?, ?, 0, '1', ?, '')")
    .run(workspaces[0], md5, content).lastInsertRowid;
  sql.prepare('INSERT INTO comment_text (rowid, content, author) VALUES (?, ?, ?)').run(number, content, 'somebody');
}

function stockRecord(sql: Database['sql'], md5: string, sha256: string | null): void {
  sql
    .prepare("INSERT INTO record (workspace_id, md5, sha256, read_at, body) VALUES (?, ?, ?, ?, '{}')")
    .run(workspaces[0], md5, sha256, time);
}

function stockNote(sql: Database['sql'], sha256: string, note: string | null): void {
  if (note === null) return;
  const id = sql
    .prepare('INSERT INTO sample_own (sha256, note, note_changed) VALUES (?, ?, ?)')
    .run(sha256, note, '').lastInsertRowid;
  sql.prepare('INSERT INTO note_text (rowid, note) VALUES (?, ?)').run(id, note);
}

function stockHit(
  sql: Database['sql'],
  { sha256, rule, workspace }: { sha256: string; rule: string; workspace: string },
): void {
  sql.prepare('INSERT OR IGNORE INTO hit_sample (workspace_id, sha256) VALUES (?, ?)').run(workspace, sha256);
  sql.prepare('INSERT OR IGNORE INTO hit_rule (workspace_id, rule) VALUES (?, ?)').run(workspace, rule);
  sql
    .prepare(
      `INSERT INTO sample_hit SELECT hit_sample.id, 'local', hit_rule.id, NULL, '', '', 1, 1, 1
        FROM hit_sample, hit_rule
    WHERE hit_sample.workspace_id = ?1 AND sha256 = ?2 AND hit_rule.workspace_id = ?1 AND rule = ?3`,
    )
    .run(workspace, sha256, rule);
}
