import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { foundPackage, packageOfNumber } from '../../storage/testing/package.fixture.ts';
import {
  createTestPublications,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes);

let editor: RuleEditor;
let setup: TestPublications;
beforeAll(async () => {
  editor = await startRuleEditor();
  setup = await createTestPublications(editor);
});
beforeEach(() => setup.startOver());
afterAll(async () => {
  await setup.remove();
  editor.end();
});

test('a package loses its bytes only when its successor is on disk, so a power cut leaves one', async () => {
  await setup.set({ keep: 1 });
  const offered = async (version: string): Promise<string> => {
    const bytes = await zipOf({ 'a.yar': rule(`in_${version.replace('.', '_')}`) }, version);
    editor.publish(version, bytes);
    await setup.check();
    return sha256(bytes);
  };
  const first = await offered('1.1');
  await setup.publications.activate(setup.team, first);
  await setup.publications.activate(setup.team, await offered('1.2'), true);
  const third = await offered('1.3');
  const disk = Promise.withResolvers<void>();
  const synced = vi.spyOn(setup.stores.packages, 'synced').mockReturnValue(disk.promise);
  onTestFinished(() => synced.mockRestore());
  const activating = setup.publications.activate(setup.team, third, true);
  await expect.poll(() => synced.mock.calls.length).toBe(1);
  expect(setup.state().active).toBe(third);
  await setup.packages.check(setup.team, first);
  disk.resolve();
  await activating;
  await expect(setup.packages.check(setup.team, first)).rejects.toMatchObject({ failure: { kind: 'package-missing' } });
});

test('the page is notified of the package in use when the disk refuses the following step', async () => {
  // Taken in without the service, whose only news of this workspace are then those that the test checks.
  setup.stores.packages.recordFile(setup.team, foundPackage(1));
  const taken = [
    vi.spyOn(setup.packages, 'check').mockResolvedValue(),
    vi
      .spyOn(setup.stores.packages, 'synced')
      .mockRejectedValue(new FailureError({ kind: 'disk-failed', path: 'vitrine.db', code: 'EIO' })),
  ];
  onTestFinished(() => taken.forEach((spy) => spy.mockRestore()));
  await expect(setup.publications.activate(setup.team, packageOfNumber(1))).rejects.toMatchObject({
    failure: { kind: 'disk-failed' },
  });
  expect(setup.events).toMatchObject([{ name: 'publications.changed', payload: { workspaceId: setup.team } }]);
  expect(setup.state().active).toBe(packageOfNumber(1));
});
