import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { addedFilesSchema } from './added-files-schema.ts';
import { atOnce } from './at-once.ts';
import { eighthSchema } from './eighth-schema.ts';
import { eleventhSchema } from './eleventh-schema.ts';
import { fifteenthSchema } from './fifteenth-schema.ts';
import { fifthSchema } from './fifth-schema.ts';
import { firstSchema } from './first-schema.ts';
import { fourteenthSchema } from './fourteenth-schema.ts';
import { fourthSchema } from './fourth-schema.ts';
import { addMigrationFunctions } from './migration-functions.ts';
import { ninthSchema } from './ninth-schema.ts';
import { ruleCostsSchema } from './rule-costs-schema.ts';
import { ruleWarningsSchema } from './rule-warnings-schema.ts';
import { sampleNamesSchema } from './sample-names-schema.ts';
import { secondSchema } from './second-schema.ts';
import { seventeenthSchema } from './seventeenth-schema.ts';
import { seventhSchema } from './seventh-schema.ts';
import { sixteenthSchema } from './sixteenth-schema.ts';
import { sixthSchema } from './sixth-schema.ts';
import { tenthSchema } from './tenth-schema.ts';
import { thirdSchema } from './third-schema.ts';
import { thirteenthSchema } from './thirteenth-schema.ts';
import { twelfthSchema } from './twelfth-schema.ts';
import { uploadMembersSchema } from './upload-members-schema.ts';

/** The SQL that takes a database from one version to the next: the n-th makes version n. Only ever appended to. */
export const migrations: readonly string[] = [
  firstSchema,
  secondSchema,
  thirdSchema,
  fourthSchema,
  fifthSchema,
  sixthSchema,
  seventhSchema,
  eighthSchema,
  ninthSchema,
  tenthSchema,
  eleventhSchema,
  twelfthSchema,
  thirteenthSchema,
  fourteenthSchema,
  fifteenthSchema,
  sixteenthSchema,
  seventeenthSchema,
  ruleWarningsSchema,
  sampleNamesSchema,
  ruleCostsSchema,
  addedFilesSchema,
  uploadMembersSchema,
];

const versionRow = z.object({ user_version: z.number().int() });

/** The schema version that an open database says it has; 0 when there is none yet. */
export function versionOf(sql: DatabaseSync): number {
  return versionRow.parse(sql.prepare('PRAGMA user_version').get()).user_version;
}

/**
 * Brings a database up to date. Each step and the version it makes are one transaction, so a crash in the middle
 * leaves the version before it, whole. A step that another process has done meanwhile is not done twice, and a newer
 * database stays as it is. Throws SQLite's error and leaves the step undone.
 */
export function migrate(sql: DatabaseSync, steps: readonly string[] = migrations): void {
  const found = versionOf(sql);
  if (found < steps.length) addMigrationFunctions(sql);
  for (const [index, step] of steps.entries()) if (index >= found) applyStep(sql, step, index + 1);
}

function applyStep(sql: DatabaseSync, step: string, version: number): void {
  atOnce(sql, () => {
    if (versionOf(sql) >= version) return;
    sql.exec(step);
    sql.exec(`PRAGMA user_version = ${version}`);
  });
}
