import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { foundPackage, packageOfNumber } from '../../storage/package.fixture.ts';
import {
  openPublicationsDesk,
  type PublicationsDesk,
  rule,
  type RuleEditor,
  startRuleEditor,
  zipOf,
} from './publications.fixture.ts';

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes);

let editor: RuleEditor;
let desk: PublicationsDesk;
beforeAll(async () => {
  editor = await startRuleEditor();
  desk = await openPublicationsDesk(editor);
});
beforeEach(() => desk.startAnew());
afterAll(async () => {
  await desk.remove();
  editor.end();
});

test('a package loses its bytes only when its successor is on the disk, so a power cut leaves one', async () => {
  await desk.set({ keep: 1 });
  const offered = async (version: string): Promise<string> => {
    const bytes = await zipOf({ 'a.yar': rule(`in_${version.replace('.', '_')}`) }, version);
    editor.publish(version, bytes);
    await desk.check();
    return sha256(bytes);
  };
  const first = await offered('1.1');
  await desk.publications.activate(desk.team, first);
  await desk.publications.activate(desk.team, await offered('1.2'), true);
  const third = await offered('1.3');
  const disk = Promise.withResolvers<void>();
  const synced = vi.spyOn(desk.stores.packages, 'synced').mockReturnValue(disk.promise);
  onTestFinished(() => synced.mockRestore());
  const activating = desk.publications.activate(desk.team, third, true);
  await expect.poll(() => synced.mock.calls.length).toBe(1);
  expect(desk.state().active).toBe(third);
  await desk.packages.check(desk.team, first);
  disk.resolve();
  await activating;
  await expect(desk.packages.check(desk.team, first)).rejects.toMatchObject({ failure: { kind: 'package-missing' } });
});

test('where the disk refuses what follows, the page is told of the package that is in use by then', async () => {
  // Taken in past the service, which has nothing to tell of this workspace then but what is to be seen here.
  desk.stores.packages.recordFile(desk.team, foundPackage(1));
  const taken = [
    vi.spyOn(desk.packages, 'check').mockResolvedValue(),
    vi
      .spyOn(desk.stores.packages, 'synced')
      .mockRejectedValue(new FailureError({ kind: 'disk-failed', path: 'vitrine.db', code: 'EIO' })),
  ];
  onTestFinished(() => taken.forEach((spy) => spy.mockRestore()));
  await expect(desk.publications.activate(desk.team, packageOfNumber(1))).rejects.toMatchObject({
    failure: { kind: 'disk-failed' },
  });
  expect(desk.events).toMatchObject([{ name: 'publications.changed', payload: { workspaceId: desk.team } }]);
  expect(desk.state().active).toBe(packageOfNumber(1));
});
