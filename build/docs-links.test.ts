import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md', '.github/**/*.md'];
const sources = '{build,docs,e2e,electron,renderer,shared}/**/*.*';
const inProject = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'));

const pages = documents.flatMap(inProject).toSorted();
const fileNames = new Set(inProject(sources).map((path) => basename(path)));

/** Without its blocks of code, whose paths are examples. */
function textOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  return text.replaceAll(/^(```|~~~)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '');
}

/** What links and pictures lead to, in Markdown and in HTML, without web pages. */
function targetsIn(text: string): string[] {
  const prose = text.replaceAll(/`[^`\n]*`/g, '``');
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)];
  return found
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** A path from the project's top, or the bare name of a source; not a pattern and not an example. */
const isPath = (span: string): boolean =>
  /^(?:build|docs|e2e|electron|renderer|shared|\.github)\/[\w./-]+$/.test(span) ||
  /^[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs)$/.test(span);

const spansIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span).filter(isPath);

function exists(page: string, target: string): boolean {
  const path = posix.join(posix.dirname(page), decodeURIComponent(target.replace(/#.*$/, '')));
  return !path.startsWith('../') && existsSync(join(root, path));
}

/** The name GitHub gives a heading in an address. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function hasAnchor(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  if (anchor === undefined || !file.endsWith('.md') || !existsSync(join(root, file))) return true;
  const headings = textOf(file).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].some(([, heading = '']) => anchorOf(heading) === anchor);
}

test('the document reader finds a link, a heading and a path', () => {
  const text =
    'See [one](a.md#b), `[two](c.md)`, <img src="d.png">, [web](https://e.example) and `shared/f.ts`, `g.ts`, `h`.';
  expect(targetsIn(text)).toEqual(['a.md#b', 'd.png']);
  expect(spansIn(text)).toEqual(['shared/f.ts', 'g.ts']);
  expect(exists('docs/README.md', '../README.md')).toBe(true);
  expect(exists('docs/README.md', 'missing.md')).toBe(false);
  expect(hasAnchor('docs/README.md', '#using-vitrine')).toBe(true);
  expect(hasAnchor('docs/README.md', '#missing')).toBe(false);
});

test.each(pages)('%s links to files and headings that exist', (page) => {
  const targets = targetsIn(textOf(page));
  expect(targets.filter((target) => !exists(page, target) || !hasAnchor(page, target))).toEqual([]);
});

test.each(pages)('%s names files that exist', (page) => {
  const missing = spansIn(textOf(page)).filter((span) =>
    span.includes('/') ? !existsSync(join(root, span)) : !fileNames.has(span),
  );
  expect(missing).toEqual([]);
});
