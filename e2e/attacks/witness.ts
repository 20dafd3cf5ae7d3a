import type { Page } from '@playwright/test';

/** What a page's own policy reported, and where the page asked for something besides its host. */
export interface Witness {
  violations(): Promise<string[]>;
  elsewhere: readonly string[];
}

/** Of a page that is loaded; what it did before is not seen. */
export async function openWitness(page: Page): Promise<Witness> {
  const elsewhere: string[] = [];
  // Not its origin: that of the desktop's own scheme is "null".
  const host = new URL('/', page.url()).href;
  page.on('request', (request) => {
    if (!request.url().startsWith(host) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  const seen = await page.evaluateHandle(() => {
    const directives: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      directives.push(effectiveDirective),
    );
    return directives;
  });
  return { violations: () => seen.evaluate((directives) => [...directives]), elsewhere };
}

/** In a page: tries what markup that got in would try. Resolves when the policy had the time to report all of it. */
export async function plantViolations(): Promise<void> {
  const box = document.createElement('div');
  box.innerHTML =
    '<img src=x onerror="globalThis.taken=1"><a href="javascript:globalThis.taken=1">open</a><iframe ' +
    'src="http://evil.invalid/"></iframe><style>p{color:red}</style>';
  document.body.append(box, Object.assign(document.createElement('script'), { textContent: 'globalThis.taken=1' }));
  box.querySelector('a')?.click();
  await fetch('http://evil.invalid/').catch(() => {});
  await new Promise((resolve) => Object.assign(new Image(), { onerror: resolve, src: 'http://evil.invalid/p' }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
