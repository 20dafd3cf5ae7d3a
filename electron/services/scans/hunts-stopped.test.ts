import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { createTestScans, team, type TestScans } from './scans.fixture.ts';

const samples = Array.from({ length: 12 }, (_, index) => `alpha ${index}`);
let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
  await setup.keep(...samples);
});
beforeEach(() => void Object.assign(setup.settings, defaultSettings));
afterEach(() => {
  vi.restoreAllMocks();
  setup.requireSound();
});
afterAll(() => setup.close());

const finds = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;

test('a hunt stopped after its last sample is the one that the next hunt compares with', async () => {
  await setup.install(finds('stays', 'alpha') + finds('goes', 'alpha'));
  await setup.hunt({ kind: 'all' });
  await setup.install(finds('stays', 'alpha 1'));
  const stopping = vi
    .spyOn(setup.stores.scans, 'setPace')
    .mockImplementationOnce(() => setup.jobs.pause(setup.jobs.list()[0]?.id ?? 0));
  const { id } = await setup.hunt({ kind: 'changed' });
  expect(stopping).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(setup.jobs.get(id)).toMatchObject({ state: 'done', counts: { done: 12 } }));
  expect(setup.stores.scans.lastHunt(team)).toMatchObject({ jobId: id });
  expect(await setup.scans.summary(id)).toMatchObject({ hits: 3, lost: 9 + 12 });
});
