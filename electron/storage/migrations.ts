import type { DatabaseSync } from 'node:sqlite';
import { firstSchema } from './first-schema.ts';

/** The SQL that takes a database from one version to the next: the n-th makes version n. Only ever appended to. */
export const migrations: readonly string[] = [firstSchema];

/**
 * Brings a database up to date. Each step and the version it makes are one transaction, so a crash in the middle
 * leaves the version before it, whole. Throws SQLite's error and leaves the step undone.
 */
export function migrate(sql: DatabaseSync, from: number, steps: readonly string[] = migrations): void {
  for (const [index, step] of steps.entries()) if (index >= from) applyStep(sql, step, index + 1);
}

function applyStep(sql: DatabaseSync, step: string, version: number): void {
  sql.exec('BEGIN IMMEDIATE');
  try {
    sql.exec(step);
    sql.exec(`PRAGMA user_version = ${version}`);
    sql.exec('COMMIT');
  } catch (error) {
    // SQLite ends the transaction itself on some errors, such as a full disk.
    if (sql.isTransaction) sql.exec('ROLLBACK');
    throw error;
  }
}
