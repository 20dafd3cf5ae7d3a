import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { openScanDesk, type ScanDesk, team } from './scans.fixture.ts';

const samples = Array.from({ length: 12 }, (_, index) => `alpha ${index}`);
let desk: ScanDesk;
beforeAll(async () => {
  desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:9' });
  await desk.keep(...samples);
});
beforeEach(() => void Object.assign(desk.settings, defaultSettings));
afterEach(() => {
  vi.restoreAllMocks();
  desk.requireSound();
});
afterAll(() => desk.close());

const finds = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;

test('a hunt that is stopped when it has looked at everything is one that the next is told against', async () => {
  await desk.install(finds('stays', 'alpha') + finds('goes', 'alpha'));
  await desk.hunt({ kind: 'all' });
  await desk.install(finds('stays', 'alpha 1'));
  const stopping = vi
    .spyOn(desk.stores.scans, 'setPace')
    .mockImplementationOnce(() => desk.jobs.pause(desk.jobs.list()[0]?.id ?? 0));
  const { id } = await desk.hunt({ kind: 'changed' });
  expect(stopping).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(desk.jobs.get(id)).toMatchObject({ state: 'done', counts: { done: 12 } }));
  expect(desk.stores.scans.lastHunt(team)).toMatchObject({ jobId: id });
  expect(await desk.scans.summary(id)).toMatchObject({ hits: 3, lost: 9 + 12 });
});
