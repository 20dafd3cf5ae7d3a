/**
 * A name of this kind is one that the sample is known by already, as ScanFiles has them. `besides`: tables that came
 * later, with a SHA-256 and a name.
 */
const isKnown = (name: string, besides: readonly string[]): string => `EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = ${name}
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = ${name}
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = ${name}
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = ${name}${besides
        .map(
          (table) => `
    UNION ALL SELECT 1 FROM sample JOIN ${table} ON ${table}.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND ${table}.name = ${name}`,
        )
        .join('')}
  )`;

/** Before the row is written: the names that are known are those of the other rows, and that of the row as it was. */
const onNewName = (
  table: string,
  { columns, sample, isNew }: { columns: readonly string[]; sample: string; isNew: string },
): string => {
  const isOther = columns.map((column) => `new.${column} IS NOT old.${column}`).join(' OR ');
  const leave = `UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE ${sample}) AND names_left = 0 AND ${isNew};`;
  return `
CREATE TRIGGER coverage_of_${table}_added BEFORE INSERT ON ${table} WHEN new.name IS NOT NULL BEGIN
  ${leave}
END;
CREATE TRIGGER coverage_of_${table}_changed BEFORE UPDATE OF ${columns.join(', ')} ON ${table} WHEN new.name IS NOT NULL
  AND (${isOther}) BEGIN
  ${leave}
END;`;
};

const isNewOfScan = (besides: readonly string[]): string => `EXISTS (
    SELECT 1 FROM (SELECT new.name AS name UNION SELECT value ->> '$.name'
      FROM json_each(iif(json_valid(new.also), new.also, '[]'))) AS given WHERE NOT ${isKnown('given.name', besides)}
  )`;

/** For every table that names samples. */
export function nameTriggers(besides: readonly string[]): string {
  const isNew = `NOT ${isKnown('new.name', besides)}`;
  const bySha256 = { columns: ['name', 'sha256'], sample: 'sha256 = new.sha256', isNew };
  return [
    onNewName('record', {
      columns: ['name', 'md5', 'sha256'],
      sample: 'md5 = new.md5 AND (new.sha256 IS NULL OR sha256 = new.sha256)',
      isNew,
    }),
    onNewName('upload_file', bySha256),
    onNewName('scan_file', { ...bySha256, columns: ['name', 'sha256', 'also'], isNew: isNewOfScan(besides) }),
    ...besides.map((table) => onNewName(table, bySha256)),
  ].join('\n');
}

/**
 * A sample that gets another name has not been looked at under it by rules that ask for names. `names_left`: it has one
 * that the look of its state did not know. What was noted before counts as such: nobody kept under which names.
 * `asks_name`: whether hits of the rule depend on names; null: not known.
 */
export const sampleNamesSchema = `
ALTER TABLE coverage_sample ADD COLUMN names_left INTEGER NOT NULL DEFAULT 1;
ALTER TABLE coverage_look ADD COLUMN asks_name INTEGER;
${nameTriggers([])}
`;
