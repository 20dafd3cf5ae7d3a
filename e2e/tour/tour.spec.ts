import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { test as onVitrine } from '../fixtures.ts';
import { makeTourFiles } from './files/tour-files.ts';
import { takePictures } from './pictures.ts';
import { pictureName, type DocumentedStop, tourReport } from './tour-report.ts';
import type { Tour, TourStop } from './tour-stop.ts';
import { stops } from './stops/all-stops.ts';

const out = fileURLToPath(new URL('../../.out/tour/', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const taken = join(out, 'pictures');

onVitrine.use({ staysInWelcome: true, permissions: ['clipboard-read', 'clipboard-write'] });

onVitrine('tour', async ({ vitrine }) => {
  await rm(taken, { recursive: true, force: true });
  await mkdir(taken, { recursive: true });
  const tour: Tour = { vitrine, page: vitrine.page, sampleFiles: [], ...(await makeTourFiles()) };
  const reported: DocumentedStop[] = [];
  for (const stop of stops) reported.push(await test.step(stop.title, () => walked(stop, tour)));
  await publish(reported);
});

async function walked({ walk, ...stop }: TourStop, tour: Tour): Promise<DocumentedStop> {
  try {
    const answers = await walk(tour);
    for (const answer of answers.answers) expect(answer, 'what the tour reads in the page').not.toMatch(/^$|:$/);
    await takePictures(tour.page, { folder: taken, hidden: tour.vitrine.folder }, stop);
    return { ...stop, ...answers };
  } catch (error) {
    throw new Error(
      `The tour ended at "${stop.title}"; what was shown is in ${await pictureOfFailure(tour.page, stop.name)}`,
      { cause: error },
    );
  }
}

async function pictureOfFailure(page: Page, name: string): Promise<string> {
  const path = join(out, `failed-at-${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** Only a tour that came to its end is written down. */
async function publish(reported: readonly DocumentedStop[]): Promise<void> {
  const pictures = reported.flatMap(({ name, themes }) => themes.map((theme) => pictureName(name, theme)));
  for (const picture of pictures) await copyFile(join(taken, picture), join(docs, 'pictures', picture));
  await writeFile(join(docs, 'tour.md'), tourReport(reported));
}
