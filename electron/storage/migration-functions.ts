import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { normalTag } from '../../shared/domain/tag.ts';
import { serviceTagsOf } from './service-tags.ts';
import { readJson } from './stored-json.ts';

const texts = z
  .array(z.unknown())
  .catch([])
  .transform((values) => values.filter((value) => typeof value === 'string'));

/** What SQLite cannot say as the domain says it: it knows no capital letter and no white space but those of ASCII. */
export function addMigrationFunctions(sql: DatabaseSync): void {
  sql.function('normal_tag', { deterministic: true }, (text) => normalTag(String(text)));
  sql.function('service_tags', { deterministic: true }, (tags) =>
    JSON.stringify(serviceTagsOf(texts.parse(readJson(String(tags))))),
  );
}
