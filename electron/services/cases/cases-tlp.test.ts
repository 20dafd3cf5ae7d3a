import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strictestTlp, tlpLevels } from '../../../shared/domain/tag.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { collected } from '../../vault/eicar.fixture.ts';
import { asked, createTestCases, everything, named, type TestCases } from './cases.fixture.ts';

let setup: TestCases;
beforeEach(async () => {
  setup = await createTestCases();
});
afterEach(() => setup.close());

const md5Only = 'd'.repeat(32);
const knowMd5 = (md5 = md5Only, record = recordWith({ md5, name: 'seen.exe' })): void =>
  void setup.stores.library.recordLookup({ workspaceId: 'lab', md5, record, outcome: 'done' });
const failing = (failure: object): object => ({ failure });
const marked = (sha256: string, tlp: (typeof tlpLevels)[number]): void =>
  void setup.stores.library.changeSamples([sha256], { add: [], remove: [], tlp });
const know = (count: number): string[] => {
  const notes = Array.from({ length: count }, (_, at) => {
    const hex = (digits: number): string => (at + 1).toString(16).padStart(digits, '0');
    return {
      workspaceId: 'lab',
      md5: hex(32),
      hashes: { md5: hex(32), sha1: hex(40), sha256: hex(64) },
      sizeBytes: 1,
      outcome: 'done',
    };
  });
  for (let from = 0; from < count; from += 1000) setup.stores.library.recordUploads(notes.slice(from, from + 1000));
  return notes.map(({ hashes }) => hashes.sha256);
};

test('a case takes the chosen TLP, never below the strictest sample, and that one by default', async () => {
  const hashes = know(tlpLevels.length + 1);
  tlpLevels.forEach((level, at) => marked(hashes[at] ?? '', level));
  for (const [at, sample] of [...tlpLevels, null].entries()) {
    for (const tlp of [...tlpLevels, null]) {
      const prepared = setup.cases.prepare({
        selection: named(hashes[at] ?? ''),
        options: { ...asked, format: 'jsonl', tlp },
      });
      if (tlp !== null && sample !== null && strictestTlp([tlp, sample]) !== tlp) {
        await expect(prepared).rejects.toMatchObject(
          failing({ kind: 'tlp-too-open', tlp: `TLP:${tlp.toUpperCase()}`, strictest: `TLP:${sample.toUpperCase()}` }),
        );
        continue;
      }
      await prepared;
      expect(JSON.parse((await collected(setup.offered().open())).toString())).toMatchObject({
        tlp: sample,
        caseTlp: tlp ?? sample,
      });
    }
  }
  await expect(setup.written(everything, { tlp: 'green' })).rejects.toMatchObject(
    failing({ kind: 'tlp-too-open', strictest: 'TLP:RED' }),
  );
  expect(setup.jobs.list()).toEqual([]);
});

test('samples with an unknown TLP are exported if the person vouches for them, or with the strictest TLP', async () => {
  const sha256 = await setup.keep(Buffer.from('fetched in bulk'));
  const unvouched = { ...asked, vouched: false };
  for (const tlp of [null, 'clear', 'amber+strict'] as const) {
    await expect(
      setup.cases.prepare({ selection: named(sha256), options: { ...unvouched, tlp } }),
    ).rejects.toMatchObject(failing({ kind: 'tlp-unknown', samples: 1 }));
    await expect(setup.written(named(sha256), { tlp, vouched: false })).rejects.toMatchObject(
      failing({ kind: 'tlp-unknown', samples: 1 }),
    );
    await setup.cases.prepare({ selection: named(sha256), options: { ...asked, tlp } });
  }
  await setup.cases.prepare({ selection: named(sha256), options: { ...unvouched, tlp: 'red' } });
  marked(sha256, 'amber');
  await expect(
    setup.cases.prepare({ selection: named(sha256), options: { ...asked, tlp: 'clear' } }),
  ).rejects.toMatchObject(failing({ kind: 'tlp-too-open' }));
  await setup.cases.prepare({ selection: named(sha256), options: unvouched });
});

test('a sample with a fetched record has no TLP when the record names none', async () => {
  knowMd5();
  expect(
    await setup.cases.prepare({ selection: named(md5Only), options: { ...asked, vouched: false, tlp: 'clear' } }),
  ).toMatchObject({ samples: 1 });
});

test('a sample that loses its TLP during export is not exported: its strictness is unknown', async () => {
  const [sha256 = ''] = know(1);
  marked(sha256, 'green');
  await setup.cases.prepare({ selection: everything, options: { ...asked, vouched: false } });
  setup.stores.library.changeSamples([sha256], { add: [], remove: [], tlp: null });
  await expect(collected(setup.offered().open())).rejects.toMatchObject(failing({ kind: 'tlp-unknown', samples: 1 }));
  expect(setup.journalOf(sha256)).toEqual([]);
});

test('a vouched sample is not exported when its record, read meanwhile, contradicts that', async () => {
  const sha256 = await setup.keep(Buffer.from('fetched in bulk'));
  const { md5 } = setup.stores.library.find(sha256) ?? expect.fail('not there');
  await setup.cases.prepare({ selection: named(sha256), options: { ...asked, tlp: 'green' } });
  knowMd5(md5 ?? '', recordWith({ md5, tags: ['tlp:red'] }));
  await expect(collected(setup.offered().open())).rejects.toMatchObject(
    failing({ kind: 'tlp-too-open', strictest: 'TLP:RED' }),
  );
});

test('a sample marked more strictly during export is not exported', async () => {
  const [sha256 = ''] = know(1);
  marked(sha256, 'green');
  await setup.cases.prepare({ selection: everything, options: asked });
  marked(sha256, 'red');
  await expect(collected(setup.offered().open())).rejects.toMatchObject(
    failing({ kind: 'tlp-too-open', tlp: 'TLP:GREEN', strictest: 'TLP:RED' }),
  );
  expect(setup.journalOf(sha256)).toEqual([]);
});

for (const { tags, cases } of longAfter(1, ['csv', 'stix']))
  test.each(cases)(
    '%s: a sample marked more strictly after it was written is still not exported',
    { tags },
    async (format) => {
      const hashes = know(1200);
      const [first = ''] = hashes;
      setup.stores.library.changeSamples(hashes, { add: [], remove: [], tlp: 'green' });
      await setup.cases.prepare({ selection: everything, options: { ...asked, format } });
      const pieces = setup.offered().open()[Symbol.asyncIterator]();
      await pieces.next();
      marked(first, 'red');
      await expect(
        (async () => {
          while ((await pieces.next()).done !== true);
        })(),
      ).rejects.toMatchObject(failing({ kind: 'tlp-too-open', tlp: 'TLP:GREEN', strictest: 'TLP:RED' }));
      expect(setup.journalOf(first)).toEqual([`done ${format} browser`, `tlp-too-open ${format} browser`]);
    },
  );

test('a case of one piece is withheld as a whole when its sample is marked more strictly', async () => {
  const [sha256 = ''] = know(1);
  setup.onNoted(() => marked(sha256, 'red'));
  await setup.cases.prepare({ selection: everything, options: asked });
  const left: Uint8Array[] = [];
  await expect(
    (async () => {
      for await (const piece of setup.offered().open()) left.push(piece);
    })(),
  ).rejects.toMatchObject(failing({ kind: 'tlp-too-open' }));
  expect([left, setup.journalOf(sha256)]).toEqual([[], ['done csv browser', 'tlp-too-open csv browser']]);
});

test('a sample that is marked more strictly while its rows are written does not get into the folder', async () => {
  const [sha256 = ''] = know(300);
  setup.onNoted(() => marked(sha256, 'red'));
  expect(await setup.written(everything)).toMatchObject({
    failure: { kind: 'tlp-too-open', tlp: 'A case without a TLP', strictest: 'TLP:RED' },
  });
  expect([await readdir(setup.folder), setup.journalOf(sha256)]).toEqual([
    [],
    ['done csv folder', 'tlp-too-open csv folder'],
  ]);
});
