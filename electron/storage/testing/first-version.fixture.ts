import { join } from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { migrate, migrations } from '../migrations/migrations.ts';
import { recordWith } from './database.fixture.ts';

/**
 * A program of its own: `node … DIRECTORY SAMPLES` makes a database there as version 1 left it, with records of so many
 * samples of the lab, two comments each.
 */
const [, , directory, wanted] = argv;
if (directory === undefined || wanted === undefined) exit(2);

const seen = '2030-01-01T00:00:00.000Z';
const comments = [
  { id: '1', parentId: null, author: 'Märta', content: 'drops Emotet', created: seen },
  { id: '2', parentId: '1', author: null, content: 'agreed', created: seen },
];

const sql = new DatabaseSync(join(directory, 'vitrine.db'), { enableForeignKeyConstraints: true });
migrate(sql, migrations.slice(0, 1));
const addSample = sql.prepare('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?, ?, ?, ?)');
const addRecord = sql.prepare(
  "INSERT INTO record (workspace_id, md5, sha256, name, read_at, body) VALUES ('lab', ?, ?, ?, ?, ?)",
);
for (let number = 1; number <= Number(wanted); number += 1) {
  const [md5, sha256, name] = [
    number.toString(16).padStart(32, '0'),
    number.toString(16).padStart(64, '0'),
    `sample ${number}`,
  ];
  addSample.run(md5, sha256, seen, seen);
  addRecord.run(
    md5,
    sha256,
    name,
    seen,
    JSON.stringify(recordWith({ md5, sha256, name, tags: ['apt'], comments, listsComments: true })),
  );
}
sql.close();
stdout.write('made\n');
