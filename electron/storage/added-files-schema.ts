import { nameTriggers } from './sample-names-schema.ts';

const named = ['record', 'upload_file', 'scan_file'];
const dropped = named
  .flatMap((table) => ['added', 'changed'].map((when) => `DROP TRIGGER coverage_of_${table}_${when};`))
  .join('\n');

/**
 * Local files that were added to the vault. `sample_name`: every name under which the same bytes were added, as it was
 * given, with where they were: the folders and archives above them. `added_file`: the files of a job. `rank` puts them
 * in order, members below their archive: six digits and a point for each level. `archive` and `remarks` are JSON.
 */
export const addedFilesSchema = `
CREATE TABLE sample_name (
  sha256 TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  added TEXT NOT NULL,
  PRIMARY KEY (sha256, name, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX sample_name_by_time ON sample_name (sha256, added);

CREATE TABLE added_file (
  job_id INTEGER NOT NULL,
  rank TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  staged_id TEXT,
  place TEXT,
  size_bytes INTEGER NOT NULL,
  md5 TEXT,
  sha1 TEXT,
  sha256 TEXT,
  mime TEXT,
  state TEXT NOT NULL,
  failure TEXT,
  archive TEXT,
  remarks TEXT NOT NULL,
  PRIMARY KEY (job_id, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX added_file_by_state ON added_file (job_id, state, rank);
CREATE INDEX added_file_staged ON added_file (staged_id) WHERE staged_id IS NOT NULL;

${dropped}
${nameTriggers(['sample_name'])}
`;
