import type { Page } from '@playwright/test';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { UploadPage } from '../../pages/upload-page.ts';
import type { HostCalls } from '../host-calls.ts';
import type { Standstill } from '../row.ts';
import { walkByKeys, wheel, wheelDownAndUp } from '../scroll.ts';
import { type Standstills, standstillsOf } from '../standstills.ts';
import { longestOf } from '../stretch.ts';
import type { WebHostPage } from '../web-host-page.ts';

const rowPixels = 32;
const tag = 'bench:reviewed';

/**
 * A folder of so many files is picked, and looked through while they come, are hashed and asked about; then all are
 * tagged and looked through again.
 */
export async function reviewStandstills(vitrine: WebHostPage, files: string, count: number): Promise<Standstill[]> {
  await vitrine.call('workspaces.switch', { id: labWorkspaceId });
  await vitrine.page.reload();
  const coming = await whileTheyCome(vitrine, files, count);
  const tagged = await standstillsOf(vitrine, () => tagAll(vitrine, count));
  return [
    { what: 'page, upload review', ...coming.page },
    { what: 'host, upload review', ...coming.host },
    { what: 'page, all tagged', ...tagged.page },
    { what: 'host, all tagged', ...tagged.host },
  ];
}

/** Watched a round at a time: a record of the browser's tasks over all of it would be too large to be read. */
async function whileTheyCome(vitrine: WebHostPage, files: string, count: number): Promise<Standstills> {
  const { page, call } = vitrine;
  const { table } = new UploadPage(page);
  await pick(page, files);
  const rounds = [await standstillsOf(vitrine, () => table.getByRole('row').nth(1).waitFor())];
  while (!(await isReviewed(call, count))) {
    rounds.push(
      await standstillsOf(vitrine, async () => {
        await wheelDownAndUp(page, table);
        await walkByKeys(page, table);
      }),
    );
  }
  return { page: longestOf(rounds.map(({ page: one }) => one)), host: longestOf(rounds.map(({ host }) => host)) };
}

/**
 * Not watched: the browser makes its list of ten thousand files in one task of its own, before the page hears of any.
 */
async function pick(page: Page, files: string): Promise<void> {
  await new UploadPage(page).open();
  await page.getByRole('button', { name: 'Add files' }).waitFor();
  await page.locator('[data-picker=folder]').setInputFiles(files);
}

async function isReviewed(call: HostCalls, count: number): Promise<boolean> {
  const draft = await call('uploads.draft', { workspaceId: labWorkspaceId });
  if (draft.unanswered > 0) throw new Error(`the lab left ${draft.unanswered} files unanswered`);
  return draft.toSend.files === count && draft.busy === 0 && draft.unasked === 0;
}

async function tagAll({ page, call }: WebHostPage, count: number): Promise<void> {
  const upload = new UploadPage(page);
  await upload.tagTicked(tag);
  await setTlpOfTicked(page, 'AMBER');
  await wheel(page, upload.table, count * rowPixels);
  await walkByKeys(page, upload.table);
  const { files } = await call('uploads.files', { workspaceId: labWorkspaceId, offset: count - 1, limit: 1 });
  if (!files.some(isTagged)) throw new Error('the last file has not the tag and the TLP of all');
}

async function setTlpOfTicked(page: Page, level: string): Promise<void> {
  await page.getByRole('button', { name: /^Set TLP( L)?$/ }).click();
  await page.getByRole('menuitem', { name: level, exact: true }).click();
}

const isTagged = ({ tags, tlp }: UploadFile): boolean => tags.includes(tag) && tlp === 'amber';
