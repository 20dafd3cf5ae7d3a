import type { Locator, Page } from '@playwright/test';
import { startBrokenServer } from '../faults/broken-server.ts';
import { expect, test } from '../fixtures.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { glasswing } from '../sample-files.ts';
import { workIn } from '../workspace.ts';

const sample = new TextEncoder().encode('the bytes of a sample that two teams disagree about');
const token = 'a-token-for-two-teams';
const threat = 'TrojanDownloader:Win32/AgentTesla.Gen!ml';
const widths = [1024, 1100, 1200, 1240, 1280, 1400, 1600];

/** What is outside of the line, or cut off without an ellipsis and a tooltip with all of it. */
const lostIn = (line: Locator): Promise<string[]> =>
  line.evaluate((section) => {
    const edge = section.getBoundingClientRect();
    const isOutside = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left < edge.left - 0.5 || right > edge.right + 0.5 || top < edge.top - 0.5 || bottom > edge.bottom + 0.5;
    };
    const isCut = (element: HTMLElement): boolean =>
      element.scrollWidth > element.clientWidth + 1 &&
      (element.title === '' || getComputedStyle(element).textOverflow !== 'ellipsis');
    return [...section.querySelectorAll<HTMLElement>('p, dt, dd, button')]
      .filter((element) => isOutside(element) || isCut(element))
      .map(({ textContent }) => textContent);
  });

/** Its parts that overlap each other. */
const overlapsIn = (line: Locator): Promise<number> =>
  line.evaluate((section) => {
    const boxes = [...(section.firstElementChild?.children ?? [])].map((part) => part.getBoundingClientRect());
    return boxes.filter((one, at) =>
      boxes
        .slice(at + 1)
        .some(
          (other) =>
            one.left < other.right - 0.5 &&
            other.left < one.right - 0.5 &&
            one.top < other.bottom - 0.5 &&
            other.top < one.bottom - 0.5,
        ),
    ).length;
  });

test('the verdict line is whole at every width from 1024 on, with long names, threats and two sources each', async ({
  vitrine,
  lookup,
}) => {
  const alpha = await startBrokenServer({
    sample,
    faults: {},
    record: { criticity: 3, threat: 'Trojan.Alpha', tags: 'tlp:green', date: '2026-11-20 10:00:00' },
  });
  const beta = await startBrokenServer({
    sample,
    faults: {},
    record: { criticity: 2, threat, tags: 'tlp:amber+strict', date: '2025-02-11 10:00:00' },
  });
  const { page } = vitrine;
  const line = page.getByRole('region', { name: 'Verdict' });
  for (const [name, { baseUrl, md5 }] of [
    ['Malware Analysis Team Alpha of Amsterdam', alpha],
    ['Malware Analysis Team Beta of Copenhagen', beta],
  ] as const) {
    await workIn(vitrine, { name, repository: baseUrl, token });
    await lookup.ask(md5);
    await expect(page.getByText(/^\d+ ms$/)).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await lostIn(line), await overlapsIn(line)]).toEqual([width, [], 0]);
    }
  }
  await expect(line.getByText('Last')).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const value = line.getByText(threat);
    const box = await value.evaluate((element) => {
      const around = element.closest('p') ?? element;
      return { width: around.clientWidth, isCut: around.scrollHeight > around.clientHeight };
    });
    expect([width, box.isCut], `${box.width} px`).toEqual([width, false]);
  }
  await alpha.close();
  await beta.close();
});

/** The places of what a person reads or presses while the bytes come. */
async function placesOf(page: Page): Promise<Record<string, string>> {
  const watched = {
    verdict: page.getByRole('region', { name: 'Verdict' }),
    hashes: page.getByRole('region', { name: 'Hashes' }),
    record: page.getByRole('region', { name: 'Record' }),
    note: page.getByRole('heading', { name: 'Note' }),
    bytes: page.getByRole('heading', { name: 'Bytes and entropy' }),
    refresh: page.getByRole('button', { name: /^Refresh/ }),
    copy: page.getByRole('button', { name: 'Copy', exact: true }),
    export: page.getByRole('button', { name: /^Export…/ }),
  };
  const places: Record<string, string> = {};
  for (const [name, locator] of Object.entries(watched)) {
    const box = await locator.boundingBox();
    places[name] = box === null ? 'gone' : `${Math.round(box.x)} ${Math.round(box.y)}`;
  }
  return places;
}

for (const width of [1024, 1280])
  test(`a download moves nothing of the page while it runs and when it ends, at ${width}`, async ({
    vitrine,
    lookup,
  }) => {
    const { page } = vitrine;
    await page.setViewportSize({ width, height: 1200 });
    const server = await startBrokenServer({ sample, faults: { downloadfile: 'slow-drip' } });
    await workIn(vitrine, { name: 'Team Alpha', repository: server.baseUrl, token });
    await lookup.ask(server.md5);
    await expect(page.getByText(/^\d+ ms$/)).toBeVisible();
    const before = await placesOf(page);
    const download = page.getByRole('button', { name: /^Download/ });
    const place = await download.boundingBox();
    await download.click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    expect(await placesOf(page)).toEqual(before);
    await expect(lookup.inVault).toBeVisible();
    await expect(page.getByText('type', { exact: true })).toBeVisible();
    expect(await placesOf(page)).toEqual(before);
    const scan = await page.getByRole('main').getByRole('button', { name: 'Scan', exact: true }).boundingBox();
    expect([scan?.x, scan?.width]).toEqual([place?.x, place?.width]);
    await server.close();
  });

const withRules = test.extend({ beginsWith: 'rules' });

withRules('a rule name that is too long for its row is cut with an ellipsis', async ({ vitrine }) => {
  const { page } = vitrine;
  await page.setViewportSize({ width: 1100, height: 800 });
  const opened = new SamplePage(page);
  await opened.openFromLibrary(glasswing.slice(0, 12));
  await page.getByRole('main').getByRole('button', { name: 'Scan', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scan' })).toBeVisible();
  await expect(page.getByText('glasswing_stub').first()).toBeVisible();
  // It is still open there.
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Library/ })
    .click();
  const hits = page.getByRole('region', { name: 'Rule hits' });
  const name = hits.getByRole('code').first().locator('bdi');
  await expect(name).toHaveText('glasswing_stub');
  await name.evaluate((element) => {
    element.textContent = 'SUSP_a_rule_with_a_name_of_the_field_Nov26_that_is_long';
  });
  const shown = await name.evaluate((element) => ({
    isCut: element.scrollWidth > element.clientWidth,
    overflow: getComputedStyle(element).textOverflow,
    isInside: element.getBoundingClientRect().right <= (element.closest('li')?.getBoundingClientRect().right ?? 0),
  }));
  expect(shown).toEqual({ isCut: true, overflow: 'ellipsis', isInside: true });
  await expect(hits.getByRole('button', { name: 'Show glasswing_stub in its scan' })).toBeInViewport();
});
