import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { openScanDesk, type ScanDesk, sha256Of, team } from './scans.fixture.ts';

let desk: ScanDesk;
beforeAll(async () => void (desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:9' })));
beforeEach(() => void Object.assign(desk.settings, defaultSettings));
afterEach(() => desk.requireSound());
afterAll(() => desk.close());

const samples = ['alpha one', 'alpha two, trigger', 'alpha three'];
const finds = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;
/** Does not end for a sample with a trigger in it. */
const slow =
  'rule slow { strings: $a = "alpha" $t = "trigger" condition: $a and (not $t or for all i in ' +
  '(0..9223372036854775806) : (i >= 0)) }\n';
const hitsIn = (sample: string): string[] => desk.stores.scans.hitsOf(team, sha256Of(sample)).map(({ rule }) => rule);

/** Rules that find what they can, and the same ones where one of them does not end any more. */
async function slowIsInstalled(): Promise<void> {
  await desk.keep(...samples);
  await desk.install(finds('slow', 'alpha') + finds('fine', 'two'));
  await desk.hunt({ kind: 'all' });
  // The one to blame is sought from the front: behind the other it is scanned with no more often than it must be.
  await desk.install(finds('fine', 'alpha t') + slow);
  desk.settings.scanSeconds = 0.25;
}

test('what a rule found that is left out is not lost: nobody looked with it', async () => {
  await slowIsInstalled();
  const job = await desk.hunt({ kind: 'all' });
  expect(job.notices).toEqual([{ kind: 'scan-rule-left-out', rule: 'slow', reason: 'endless' }]);
  expect(await desk.scans.summary(job.id)).toMatchObject({ scanned: 3, lost: 0, added: 1 });
  expect(hitsIn('alpha two, trigger')).toEqual(['fine', 'slow']);
});

test('what a rule found that is left out stays after a scan of that sample, too', { tags: ['long'] }, async () => {
  await slowIsInstalled();
  await desk.hunt({ kind: 'all' });
  const scan = await desk.scan({ samples: [sha256Of('alpha two, trigger')] });
  expect(scan.notices).toHaveLength(1);
  expect(hitsIn('alpha two, trigger')).toEqual(['fine', 'slow']);
});

test('what a rule found that is private now is lost', async () => {
  await desk.install(finds('turns', 'alpha') + finds('stays', 'alpha'));
  await desk.hunt({ kind: 'all' });
  await desk.install(`private ${finds('turns', 'alpha')}${finds('stays', 'alpha')}`);
  const job = await desk.hunt({ kind: 'changed' });
  expect(await desk.scans.summary(job.id)).toMatchObject({ lost: 3 });
  expect(hitsIn('alpha one')).not.toContain('turns');
});

test('the name of a string is cut where it is longer than anybody reads', async () => {
  await desk.install(`rule long { strings: $${'i'.repeat(300)} = "abc" condition: any of them }\n`);
  const job = await desk.scan({ files: [await desk.stage('abc', 'abc')] });
  const { results } = await desk.scans.file(job.id, 1);
  expect(results).toMatchObject([
    { state: 'scanned', hits: [{ rule: 'long', strings: [{ id: `$${'i'.repeat(198)}…`, total: 1 }] }] },
  ]);
});
