import { readdir, readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { filesHolding } from '../disk.ts';

/**
 * A secret as it is and as it is commonly written: percent-encoded, in hexadecimal, in UTF-16, and inside base64, where
 * it has one of three shapes.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    Buffer.from(secret, 'utf16le').toString('latin1'),
    ...base64,
  ];
}

/** Whether bytes hold it in any of these forms. */
export const reports = (bytes: Buffer, secret: string): boolean => formsOf(secret).some((form) => bytes.includes(form));

/**
 * Files below a folder that hold a secret in any form: databases with their logs and free pages, logs, exports, and
 * what a crash left.
 */
export const filesTelling = (folder: string, secret: string): Promise<string[]> =>
  filesHolding(folder, ...formsOf(secret));

/** Processes of this machine whose arguments or environment contain a secret. */
export async function processesTelling(secret: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const places = pids.flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`]);
  const texts = await Promise.all(places.map((place) => readFile(place, 'latin1').catch(() => '')));
  return places.filter((_place, index) => formsOf(secret).some((form) => texts[index]?.includes(form)));
}

/** What the browser keeps for a page and what it shows, as one text. */
export function keptByBrowser(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('no reason')));
      });
    const kept: unknown[] = [
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await asked(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        kept.push(store, await asked(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    return JSON.stringify(kept);
  });
}
