/** Text that a page would run, load, follow or show as something else, were it ever taken for markup. */
const attempts = [
  '"><script>globalThis.taken=1</script>',
  `'><img src=x onerror="globalThis.taken=1">`,
  '<svg/onload=globalThis.taken=1>',
  '</title></style></textarea><script>globalThis.taken=1</script>',
  '<a href="javascript:globalThis.taken=1">open</a>',
  '<iframe srcdoc="<script>parent.taken=1</script>">',
  '<base href="http://evil.example/">',
  '<meta http-equiv=refresh content="0;url=http://evil.example/">',
  '<form action="http://evil.example/"><button>Log in</button></form>',
  '<style>*{background:url(http://evil.example/s)}</style>',
  '<link rel=stylesheet href=http://evil.example/l>',
  '[link](javascript:globalThis.taken=1) ![picture](http://evil.example/p)',
  '{{constructor.constructor("globalThis.taken=1")()}}',
  '${globalThis.taken=1}',
  '__proto__',
  '\u202e',
];

/** One after another under a word by which it is found again. */
export const markupOf = (word: string): string => `${word} ${attempts.join(' ')}`;

/** Each attempt alone. */
export const markups: readonly string[] = attempts;

/** In the page: what it holds that only such text could have brought. */
export function broughtByMarkup(): string[] {
  const selectors = [
    'script:not([src])',
    'body script',
    'body style',
    'iframe',
    'object',
    'embed',
    'base',
    'meta[http-equiv=refresh]',
    'form[action]',
    'img[src=x]',
    '[onload]',
    '[onerror]',
    'a[href^="javascript:"]',
    '[href*="evil.example"]',
    '[src*="evil.example"]',
  ];
  const found = selectors.filter((selector) => document.querySelector(selector) !== null);
  return 'taken' in globalThis ? [...found, 'it ran'] : found;
}
