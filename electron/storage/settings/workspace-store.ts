import { z } from 'zod';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  frontSetting,
  proxySetting,
  repositoryOptions,
  timeouts,
  trust,
  workspaceId,
} from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import type { Journal } from '../journal/journal.ts';
import { forgetRecordsOf } from '../library/library-changes.ts';
import { forgetScansOf } from '../scans/sample-hits.ts';
import { forgetUploadsOf, uploadsInDoubt } from '../uploads/upload-sending.ts';

const addressed = z.object({ baseUrl: z.string().min(1).max(2048) }).nullable();

/** A workspace as it is stored: addresses and rules, never a token. */
const workspaceRow = z.object({
  id: workspaceId,
  name: z.string().min(1).max(80),
  repository: addressed,
  ruleEditor: addressed,
  allowHttp: z.boolean(),
  trust,
  timeouts,
  /** Rows stored before there were any have the documented form. */
  options: repositoryOptions.default(defaultRepositoryOptions),
  /** Rows stored before there were any were reached as the environment and the system said. */
  proxy: proxySetting.default(defaultProxy),
  front: frontSetting.default(defaultFront),
});
export type WorkspaceRow = z.infer<typeof workspaceRow>;

/** What became of each secret; there is none of those that are not named. */
export type TokenNotes = Partial<
  Record<
    'repositoryToken' | 'ruleEditorToken' | 'proxyPassword' | 'frontPassword' | 'clientKey',
    'set' | 'kept' | 'cleared'
  >
>;

const storedRow = z.object({ id: z.string(), body: z.string() });

/** The workspaces a person made, in the order they were added. Every change is journalled with it. */
export class WorkspaceStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #all;
  readonly #one;
  readonly #insert;
  readonly #update;
  readonly #delete;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#all = db.query(storedRow, 'SELECT id, body FROM workspace ORDER BY position');
    this.#one = db.query(storedRow, 'SELECT id, body FROM workspace WHERE id = ?');
    this.#insert = db.command('INSERT INTO workspace (id, body) VALUES (?, ?)');
    this.#update = db.command('UPDATE workspace SET body = ? WHERE id = ?');
    this.#delete = db.command('DELETE FROM workspace WHERE id = ?');
  }

  /** Those that can be read; `damaged` names the others. */
  list(): WorkspaceRow[] {
    return this.#all.all().flatMap((stored) => readRow(stored) ?? []);
  }

  get(id: string): WorkspaceRow | null {
    const stored = this.#one.get(id);
    return stored && readRow(stored);
  }

  /** Ids of rows that cannot be read. They stay as they are, and can be replaced or removed. */
  damaged(): string[] {
    return this.#all
      .all()
      .filter((stored) => !readRow(stored))
      .map(({ id }) => id);
  }

  add(row: WorkspaceRow, tokens: TokenNotes = {}): void {
    this.#db.transaction(() => {
      this.#insert.run(row.id, JSON.stringify(workspaceRow.parse(row)));
      this.#note(row.id, 'added', { ...detailOf(row), ...tokens });
    });
  }

  /** Fails with `workspace-missing`. */
  replace(row: WorkspaceRow, tokens: TokenNotes = {}): void {
    this.#db.transaction(() => {
      const { changes } = this.#update.run(JSON.stringify(workspaceRow.parse(row)), row.id);
      if (changes === 0) fail({ kind: 'workspace-missing', id: row.id });
      this.#note(row.id, 'changed', { ...detailOf(row), ...tokens });
    });
  }

  /**
   * Removes a workspace with its pending uploads and scans, its rule packages, mutes and hits and, with
   * `forgetLibrary`, its records and comments and the samples that nothing else here knows; the content of the vault
   * stays. Fails with `workspace-missing`.
   *
   * @returns ids of staged files that are no longer used
   */
  remove(id: string, { forgetLibrary }: { forgetLibrary: boolean }): string[] {
    return this.#db.transaction(() => {
      if (this.#delete.run(id).changes === 0) fail({ kind: 'workspace-missing', id });
      this.#noteInDoubt(id);
      const stagedIds = [...forgetUploadsOf(this.#db, id), ...forgetScansOf(this.#db, id)];
      forgetRulesOf(this.#db, id);
      if (forgetLibrary) forgetRecordsOf(this.#db, id);
      this.#note(id, 'removed', { forgetLibrary });
      return stagedIds;
    });
  }

  #noteInDoubt(id: string): void {
    const lost = uploadsInDoubt(this.#db, { workspaceId: id });
    this.#journal.appendAll(
      lost.map(({ md5, outcome, detail }) => ({
        workspaceId: id,
        operation: 'upload',
        hash: md5,
        outcome,
        ...(detail && { detail }),
      })),
    );
  }

  #note(id: string, outcome: string, detail: Record<string, string | boolean | null>): void {
    this.#journal.append({ workspaceId: id, operation: 'workspace', hash: null, outcome, detail });
  }
}

function readRow({ id, body }: z.infer<typeof storedRow>): WorkspaceRow | null {
  const read = workspaceRow.safeParse(readJson(body));
  return read.success && read.data.id === id ? read.data : null;
}

const detailOf = (row: WorkspaceRow): Record<string, string | boolean | null> => ({
  name: row.name,
  repository: row.repository?.baseUrl ?? null,
  ruleEditor: row.ruleEditor?.baseUrl ?? null,
  allowHttp: row.allowHttp,
  trust: row.trust.kind,
  proxy: row.proxy.kind,
  front: frontWords(row),
});

/** What is required besides the token, without a name. */
function frontWords({ front: { basic, clientCertificate } }: WorkspaceRow): string | null {
  const required = [basic && 'password', clientCertificate && 'client certificate'].filter((word) => word !== null);
  return required.length === 0 ? null : required.join(', ');
}

/** Forgets a workspace's rule packages, what it does about them and its mutes. Runs inside the caller's transaction. */
function forgetRulesOf(db: Database, id: string): void {
  for (const table of ['rule_package', 'rule_state', 'mute', 'server_action'])
    db.command(`DELETE FROM ${table} WHERE workspace_id = ?`).run(id);
}
