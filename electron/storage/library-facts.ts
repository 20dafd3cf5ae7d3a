import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { SampleFacts } from '../../shared/domain/sample.ts';
import { tlpLevel } from '../../shared/domain/tag.ts';
import type { KeptLists } from './library-kept-lists.ts';
import { libraryColumns, libraryRowOf, storedLibraryRow } from './library-row.ts';
import { selectionPage } from './library-selection.ts';
import { rowsOf } from './named-rows.ts';
import type { FactsAnswer, HashesAnswer, SelectionRequest } from './reading-messages.ts';
import { readJson } from './stored-json.ts';

const spaceRow = z.object({ id: z.string() });
const hashRow = z.object({ hash: z.string() });
const factsRow = storedLibraryRow.extend({ ruleNames: z.string(), ownTlp: tlpLevel.nullable().catch(null) });
const names = z.array(z.string());

/** Whatever workspace saw a hit, without reading all that was seen: its samples lie in the order of workspaces. */
const spaces = `WITH RECURSIVE space (id) AS (
  SELECT min(workspace_id) FROM hit_sample
  UNION ALL SELECT (SELECT min(workspace_id) FROM hit_sample WHERE workspace_id > space.id) FROM space
    WHERE space.id IS NOT NULL)
SELECT id FROM space WHERE id IS NOT NULL`;
const rules = `SELECT DISTINCT rule FROM json_each(:spaces) AS space
  CROSS JOIN hit_sample ON hit_sample.workspace_id = space.value AND hit_sample.sha256 = sample.sha256
  CROSS JOIN sample_hit ON sample_hit.sample_id = hit_sample.id CROSS JOIN hit_rule ON hit_rule.id = sample_hit.rule_id
    ORDER BY rule`;
const wanted = 'json_each(:ids) AS wanted CROSS JOIN sample ON sample.id = wanted.value ORDER BY wanted.key';

/** What a selection's samples are, a page at a time; one that was forgotten since is left out. */
export function readFacts(sql: DatabaseSync, lists: KeptLists, request: SelectionRequest): FactsAnswer {
  const { ids, next } = selectionPage(sql, lists, request);
  const parameters = {
    ids: JSON.stringify(ids),
    spaces: JSON.stringify(rowsOf(sql, spaceRow, spaces).map(({ id }) => id)),
  };
  const text = `SELECT ${libraryColumns}, (SELECT tlp FROM sample_own
    WHERE sample_own.sha256 = sample.sha256) AS ownTlp,
    (SELECT json_group_array(rule) FROM (${rules})) AS ruleNames FROM ${wanted}`;
  return { samples: rowsOf(sql, factsRow, text, parameters).map(factsOf), next };
}

/** What a selection's rows are known by, a page at a time. */
export function readHashes(sql: DatabaseSync, lists: KeptLists, request: SelectionRequest): HashesAnswer {
  const { ids, next } = selectionPage(sql, lists, request);
  const rows = rowsOf(sql, hashRow, `SELECT ifnull(sample.sha256, sample.md5) AS hash FROM ${wanted}`, {
    ids: JSON.stringify(ids),
  });
  return { hashes: rows.map(({ hash }) => hash), next };
}

function factsOf({ ruleNames, ownTlp, ...stored }: z.infer<typeof factsRow>): SampleFacts {
  const {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    isRecorded,
    threat,
    tags,
    serviceTags,
    firstSeen,
    lastSeen,
    vault,
  } = libraryRowOf(stored);
  const inVault = vault === 'held';
  return {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    isRecorded,
    ownTlp,
    threat,
    tags,
    serviceTags,
    hits: names.parse(readJson(ruleNames)),
    firstSeen,
    lastSeen,
    inVault,
  };
}
