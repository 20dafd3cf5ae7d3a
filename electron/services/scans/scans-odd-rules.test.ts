import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { createTestScans, sha256Of, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => void (setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' })));
beforeEach(() => void Object.assign(setup.settings, defaultSettings));
afterEach(() => setup.requireSound());
afterAll(() => setup.close());

const samples = ['alpha one', 'alpha two, trigger', 'alpha three'];
const finds = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;
/** Does not end for a sample with a trigger in it. */
const slow =
  'rule slow { strings: $a = "alpha" $t = "trigger" condition: $a and (not $t or for all i in ' +
  '(0..9223372036854775806) : (i >= 0)) }\n';
const hitsIn = (sample: string): string[] => setup.stores.scans.hitsOf(team, sha256Of(sample)).map(({ rule }) => rule);

/** Rules that find what they can, and the same ones where one of them never ends. */
async function slowIsInstalled(): Promise<void> {
  await setup.keep(...samples);
  await setup.install(finds('slow', 'alpha') + finds('fine', 'two'));
  await setup.hunt({ kind: 'all' });
  // The one to blame is sought from the front: behind the other it is scanned with no more often than it must be.
  await setup.install(finds('fine', 'alpha t') + slow);
  setup.settings.scanSeconds = 0.25;
}

test('a hit of a left-out rule is not lost: nothing was scanned with it', async () => {
  await slowIsInstalled();
  const job = await setup.hunt({ kind: 'all' });
  expect(job.notices).toEqual([{ kind: 'scan-rule-left-out', rule: 'slow', reason: 'endless' }]);
  expect(await setup.scans.summary(job.id)).toMatchObject({ scanned: 3, lost: 0, added: 1 });
  expect(hitsIn('alpha two, trigger')).toEqual(['fine', 'slow']);
});

test('a hit of a left-out rule stays after a scan of that sample, too', { tags: ['long'] }, async () => {
  await slowIsInstalled();
  await setup.hunt({ kind: 'all' });
  const scan = await setup.scan({ samples: [sha256Of('alpha two, trigger')] });
  expect(scan.notices).toHaveLength(1);
  expect(hitsIn('alpha two, trigger')).toEqual(['fine', 'slow']);
});

test('a hit of a rule that became private is lost', async () => {
  await setup.install(finds('turns', 'alpha') + finds('stays', 'alpha'));
  await setup.hunt({ kind: 'all' });
  await setup.install(`private ${finds('turns', 'alpha')}${finds('stays', 'alpha')}`);
  const job = await setup.hunt({ kind: 'changed' });
  expect(await setup.scans.summary(job.id)).toMatchObject({ lost: 3 });
  expect(hitsIn('alpha one')).not.toContain('turns');
});

test('a string’s name is cut when it is too long to read', async () => {
  await setup.install(`rule long { strings: $${'i'.repeat(300)} = "abc" condition: any of them }\n`);
  const job = await setup.scan({ files: [await setup.stage('abc', 'abc')] });
  const { results } = await setup.scans.file(job.id, 1);
  expect(results).toMatchObject([
    { state: 'scanned', hits: [{ rule: 'long', strings: [{ id: `$${'i'.repeat(198)}…`, total: 1 }] }] },
  ]);
});
