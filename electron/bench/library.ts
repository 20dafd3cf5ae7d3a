import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Database, openDatabase } from '../storage/database/database.ts';

const options = z.object({ data: z.string().min(1), samples: z.coerce.number().int().positive() });

/**
 * A new data directory with a library of so many samples, by SQL: how they come to be known is not what is measured.
 */
export async function benchStockLibrary(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, samples: { type: 'string' } } });
  const { data, samples } = options.parse(values);
  const database = openDatabase(data);
  try {
    stock(database, samples);
    return { samples };
  } finally {
    database.close();
  }
}

function stock({ sql }: Database, count: number): void {
  sql.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY');
  sql.exec(`BEGIN; ${samples(count)}; ${words}; ${notes}; ${tags}; ${hits}; ${values}; ${previews}; COMMIT`);
  sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Some digits that look like chance and are the same in every run. */
const digits = (factor: number): string => `(n * ${factor} & 4294967295)`;
const hex = (...factors: number[]): string =>
  `printf('${'%08x'.repeat(factors.length)}', ${factors.map(digits).join(', ')})`;
const scattered = (factor: number): string => `(((n * ${factor}) >> 8) & 1048575)`;
const time = (seconds: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + ${seconds}, 'unixepoch')`;
const nouns = JSON.stringify([
  'invoice',
  'report',
  'setup',
  'update',
  'photo',
  'loader',
  'driver',
  'backup',
  'manual',
  'statement',
  'payment',
  'order',
  'scan',
  'letter',
  'archive',
  'notes',
]);

/** One in twenty has no name, one in fifty no size, one in four no tag; a third of them is in the vault. */
const samples = (count: number): string => `
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
INSERT INTO sample (id, md5, sha1, sha256, size_bytes, verified, in_vault, first_seen, last_seen, name, type, tags, tlp,
  threat, hits, comments, has_note, severity)
SELECT n, ${hex(2654435761, 40503, 1, 2246822519)}, ${hex(3266489917, 668265263, 1, 374761393, 7)},
  ${hex(2246822519, 3266489917, 1, 374761393, 7, 2654435761, 11, 13)},
  iif(n % 50 = 0, NULL, 512 + ${scattered(2654435761)} * (1 + n % 7)), 1, n % 3 = 0, ${time('n * 30')},
    ${time('n * 30 + n % 97 * 3600')},
  iif(n % 20 = 0, NULL, ('${nouns}' ->> (${scattered(40503)} % 16)) || '-' || ${scattered(2246822519)} || iif(n % 2,
    '.exe', '.pdf')),
  iif(n % 2, 'pe', 'pdf'), iif(n % 4 = 0, ',', ',family:f' || (n % 300) || ',' || iif(n % 3 = 0, 'packed,', '')),
    iif(n % 10 = 0, n % 5, NULL),
  iif(n % 6 = 0, 'trojan.win32.t' || (n % 500), NULL), iif(n % 25 = 0, 1 + n % 4, 0), iif(n % 40 = 0, 2, 0),
    n % 1000 = 0, iif(n % 6 = 0, n % 18 / 6, NULL) FROM number`;
const words = `
INSERT INTO sample_text (rowid, name, hashes, tags, comments, threat)
SELECT id, ifnull(name, ''), md5 || ' ' || sha1 || ' ' || sha256, replace(tags, ',', char(10)),
  iif(comments > 0, 'seen with the dropper', ''), ifnull(threat, '') FROM sample`;
const notes = `
INSERT INTO sample_own (id, sha256, note, note_changed) SELECT id, sha256, 'unpacked by hand', last_seen FROM sample
  WHERE has_note = 1;
INSERT INTO note_text (rowid, note) SELECT id, note FROM sample_own`;
const tags =
  "INSERT INTO sample_tag SELECT sha256, 'packed' FROM sample WHERE id % 9 = 0 AND instr(tags, ',packed,') > 0";
const hits = `
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500) INSERT INTO hit_rule
  SELECT n, 'lab', 'Rule_' || n FROM number;
INSERT INTO hit_sample SELECT id, 'lab', sha256 FROM sample WHERE hits > 0;
INSERT INTO sample_hit SELECT sample.id, 'local', 1 + (sample.id * 7 + each.value) % 500, '1', last_seen, last_seen, 1,
  1, sample.id
  FROM sample, json_each('[0,1,2,3]') AS each WHERE each.value < hits`;
/**
 * An import hash of its own for one in five, a signer of thirty for one in four; a state of the sandbox, as a code and
 * in words, for one in seven; the day of its record for one in three.
 */
const values = `
INSERT INTO known_value (id, field, value) SELECT id, 'imphash', md5 FROM sample WHERE id % 5 = 0;
INSERT INTO sample_value SELECT id, id FROM sample WHERE id % 5 = 0;
WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 29)
  INSERT INTO known_value (id, field, value)
    SELECT 10000000 + n, 'signer', iif(n = 0, 'acme corp', iif(n % 3 = 0, 'vendor ' || n || ' corp', 'maker ' || n))
    FROM number;
INSERT INTO sample_value SELECT 10000000 + (id * 7) % 30, id FROM sample WHERE id % 4 = 0;
INSERT INTO known_value (id, field, value) VALUES (20000000, 'sandbox', '0'), (20000001, 'sandbox', 'found');
INSERT INTO sample_value SELECT 20000000 + code.value, sample.id FROM sample, json_each('[0,1]') AS code
  WHERE sample.id % 7 = 0;
INSERT INTO known_value (field, value) SELECT DISTINCT 'date', substr(first_seen, 1, 10) FROM sample;
INSERT INTO sample_value SELECT known_value.id, sample.id FROM sample
  JOIN known_value ON field = 'date' AND value = substr(first_seen, 1, 10) WHERE sample.id % 3 = 0`;
/**
 * Of those that are looked at when the list is scrolled from its beginning or its end: their bytes are not there to be
 * looked at.
 */
const previews = `
INSERT INTO sample_look (sha256, type, strip) SELECT sha256, type, replace(hex(zeroblob(32)), '00', '2b4') FROM sample
  WHERE in_vault = 1 AND (id <= 5000 OR id > (SELECT max(id) FROM sample) - 50000)`;
