import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import { z } from 'zod';
import { openLog } from '../../storage/log/log.ts';

/** One of each thing that must never leave. Their letters are in no word of the program. */
export const canaries = {
  token: 'Zqx7-token/Kf9+Wj2=vYp',
  passphrase: 'zqx8 pass phrase & <Qm>',
  server: 'https://zqx9host.example:8443/qvzrepo',
  serverName: 'zqx9host.example',
  folder: '/home/zqxuser/Zqx Cases/qvz',
  user: 'zqxuser',
  workspace: 'Zqxteam Qvzlab',
  sample: 'zqxinvoice-qvz.exe',
  hash: 'e5d1fa0cc2b3a4958677a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5',
  tag: 'zqxtag:qvzbot',
  comment: 'Zqxseen in the qvzmail of Ω',
  rule: 'rule zqx_rule { strings: $q = "qvzstring" condition: $q }',
} as const;

/** Each way a text may be written from which it can be read back. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2]
    .map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : 4, -4),
    )
    .filter((part) => part.length >= 8);
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  return [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.slice(0, 12),
    text.slice(-12),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
    points.map((point) => `&#${point};`).join(''),
    points.map((point) => `&#x${point.toString(16)};`).join(''),
    ...base64,
  ];
}

/** What of the canaries is in a text, in any form and any case; empty: nothing. */
export function canariesIn(text: string): string[] {
  const searched = text.toLowerCase();
  const found = Object.entries(canaries).flatMap(([name, canary]) =>
    formsOf(canary)
      .filter((form) => searched.includes(form.toLowerCase()))
      .map((form) => `${name}: ${form}`),
  );
  return [...found, ...['zqx', 'qvz'].filter((letters) => searched.includes(letters))];
}

const all: readonly string[] = Object.values(canaries);

/**
 * Writes canaries into every column of every table, also where JSON or a number of a job would be, and rows as the
 * program writes them.
 */
export function fillDatabase(path: string): void {
  const sql = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  sql.exec('PRAGMA ignore_check_constraints = ON');
  const names = z.array(z.object({ name: z.string() }));
  for (const { name } of names.parse(sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()))
    sql.exec(`DROP TRIGGER "${name}"`);
  const tables = names.parse(
    sql
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND " +
          "name NOT LIKE '%\\_text%' ESCAPE '\\'",
      )
      .all(),
  );
  for (const { name } of tables) for (const [at, canary] of all.entries()) fillRow(sql, name, at, canary);
  fillAsWritten(sql);
  sql.close();
}

function fillRow(sql: DatabaseSync, table: string, at: number, canary: string): void {
  const columns = z
    .array(z.object({ name: z.string(), type: z.string() }))
    .parse(sql.prepare(`PRAGMA table_info("${table}")`).all());
  const values = columns.map(({ type }) => (type === 'TEXT' ? canary : type === 'BLOB' ? Buffer.from(canary) : at + 1));
  sql.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (${columns.map(() => '?').join(', ')})`).run(...values);
}

function fillAsWritten(sql: DatabaseSync): void {
  const { token, server, serverName, user, workspace, folder, sample, hash, comment, passphrase } = canaries;
  const trust = { kind: 'pin', fingerprint: hash };
  const options = {
    tokenInForm: true,
    commentForm: 'json',
    decodesComments: false,
    receivers: { virusTotal: workspace, sandbox: sample },
  };
  const timeouts = { connectSeconds: 10, firstByteSeconds: 300, idleSeconds: 60 };
  const body = {
    id: 'w-zqx',
    name: workspace,
    repository: { baseUrl: server },
    ruleEditor: { baseUrl: server },
    allowHttp: true,
    trust,
    timeouts,
    options,
    proxy: { kind: 'fixed', address: `socks5://${serverName}:1080`, username: user },
    front: {
      basic: { username: user },
      clientCertificate: { kind: 'pem', subject: `CN=${user}`, validFrom: '', validTo: '', fingerprint: hash },
    },
  };
  sql.prepare('INSERT INTO workspace (id, body) VALUES (?, ?)').run('w-zqx', JSON.stringify(body));
  for (const [name, value] of [
    ['exportPassword', passphrase],
    ['currentWorkspace', 'w-zqx'],
    ['theme', comment],
    ['scanSeconds', 45],
  ] as const) {
    sql.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
  }
  const failures = [
    { kind: 'not-writable', path: folder, code: 'EACCES' },
    { kind: 'service-failed', service: 'repository', address: server, status: 500, text: `${comment} ${token}` },
    { kind: 'not-writable', path: folder, code: sample },
    { kind: sample, path: folder },
    { kind: 'wrong-bytes', md5: hash, actualMd5: hash, sizeBytes: 7 },
  ];
  const job = sql.prepare(
    `INSERT INTO job (task, workspace_id, state, created, ended, throughput, failure, notices)
      VALUES (?, 'w-zqx', 'paused', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z', '{}', ?, '[]')`,
  );
  for (const failure of failures)
    job.run(JSON.stringify({ kind: 'export', form: 'one-zip', folder, result: sample }), JSON.stringify(failure));
  const { id } = z.object({ id: z.number() }).parse(sql.prepare('SELECT max(id) AS id FROM job').get());
  sql.prepare("INSERT INTO job_count VALUES (?, 'failed', 3)").run(id);
  for (const [at, failure] of failures.entries())
    sql
      .prepare("INSERT INTO job_item (job_id, position, hash, state, rank, failure) VALUES (?, ?, ?, 'failed', 1, ?)")
      .run(id, at + 1, `${hash}${at}`, JSON.stringify(failure));
  sql
    .prepare(
      `INSERT INTO journal (time, operation, hash, outcome, detail, link)
        VALUES ('2026-01-01T00:00:00.000Z', 'download', ?, 'wrong-bytes', ?, x'00')`,
    )
    .run(hash, JSON.stringify({ name: sample }));
}

/**
 * Entries that hold canaries wherever one can be, in every form and cut short; the log knows none of them as a secret.
 */
/** A file of the program that collects: to one that is built, the sources are none of its own. */
export const ownFile =
  process.env['VITRINE_BUILT_HOST'] === undefined
    ? 'electron/services/diagnostics/diagnostics-worker.ts'
    : 'electron/services/diagnostics/diagnostics-worker.js';

export function fillLog(folder: string): void {
  const log = openLog(folder);
  for (const canary of all) {
    for (const form of formsOf(canary)) {
      const error = Object.assign(new TypeError(`Cannot read properties of undefined (reading '${form}')`), {
        code: form,
      });
      const frame = `    at collect (/place/${ownFile}:3:4)`;
      error.stack = `TypeError: ${error.message}\n${frame}\n    at ${form} (/${form}/x.js:1:1)`;
      log.defect('0b0e7a9c-1111-4222-8333-444455556666', 'samples.lookup', error);
      log.defect(form, form, Object.assign(new Error(form, { cause: new Error(form) }), { name: form }));
      const ownFrame = `    at electron/${form}/electron/${form}.ts:1:1`;
      log.write('warn', form, {
        [form]: form,
        version: form,
        platform: form,
        state: form,
        failure: { kind: 'not-writable', path: form, code: form, lastWords: form, end: form },
        lastWords: `Error: ${form}\n    at ${form} (/${form}/x.ts:1:1)\n${ownFrame}`,
        end: form,
        list: [form],
      });
    }
  }
  log.close();
}

/** The files of a ZIP, by their names. */
export async function unpacked(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ raw: Buffer; files: ReadonlyMap<string, string> }> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  const raw = Buffer.concat(pieces);
  const files = new Map<string, string>();
  const reader = new ZipReader(new BlobReader(new Blob([raw])));
  for (const entry of await reader.getEntries())
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  await reader.close();
  return { raw, files };
}

export const databaseIn = (folder: string): string => join(folder, 'vitrine.db');
