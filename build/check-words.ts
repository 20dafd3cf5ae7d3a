import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { CheckOutcome } from './check-outcome.ts';
import { root } from './paths.ts';
import { retiredNames, type RetiredWord, retiredWords, type WordException, wordExceptions } from './retired-words.ts';
import { isNode, lineAt, type SyntaxNode, visit } from './syntax-tree.ts';

const sources = [
  '{electron,renderer,shared,build}/**/*.{ts,tsx,mjs}',
  'e2e/tour/**/*.ts',
  'package.json',
  '{.,renderer}/*.html',
];
/** Of these, and of tests: names, comments and the titles of tests. */
const code = ['{electron,renderer,shared,build,e2e}/**/*.{ts,tsx,mjs}'];
const styles = ['renderer/**/*.css'];
const documents = ['*.md', 'docs/**/*.md', '.github/**/*.{md,yml}'];
const forTests = /\.(?:test|fixture|fuzz|setup|bench)\.\w+$|\/(?:test|testing|fuzz|bench)\//;
/** Its patterns are the words. */
const itself = 'build/retired-words.ts';
/** Statements of SQL are strings, and their names are the code's. */
const sql =
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|DROP|ALTER|WITH|PRAGMA|REPLACE|EXISTS|CROSS|FROM|WHERE|AND)\b/m;
/** Names of options, of variables in the environment, and of files. */
const codeName = /--[a-z][a-z-]*|\bVITRINE_[A-Z_]+|\b[\w-]+\/[\w./-]+\.\w+/g;

export interface Prose {
  line: number;
  text: string;
}

/**
 * Checks that nothing a person reads has a retired word: strings and texts of the page, the command line and the host,
 * documents without their code, and of all code, tests included, names, comments and the titles of tests. Other strings
 * of tests are data. Migrations are not read: a migration is never changed.
 */
export function checkWords(tree: string = root, exceptions: readonly WordException[] = wordExceptions): CheckOutcome {
  const problemsOf = (path: string, prose: readonly Prose[]): string[] => found(path, prose, retiredWords, exceptions);
  const names = retiredNames.map(({ pattern, use }) => ({ pattern: inNames(pattern), use }));
  const problems = [
    ...filesOf(tree, code, false).flatMap((path) => {
      const { prose, names: used } = codeIn(path, read(tree, path));
      return [...problemsOf(path, prose), ...found(path, used, names, exceptions)];
    }),
    ...filesOf(tree, styles).flatMap((path) => problemsOf(path, styleComments(read(tree, path)))),
    ...filesOf(tree, sources).flatMap((path) => problemsOf(path, sentencesIn(path, read(tree, path)))),
    ...filesOf(tree, documents).flatMap((path) => problemsOf(path, paragraphsIn(read(tree, path)))),
  ];
  return { name: 'words', passed: problems.length === 0, report: problems.join('\n') };
}

function filesOf(tree: string, patterns: readonly string[], isProduct = true): string[] {
  return globSync([...patterns], { cwd: tree })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !(isProduct && forTests.test(path)) && !path.includes('node_modules/') && path !== itself)
    .toSorted();
}

const read = (tree: string, path: string): string => readFileSync(posix.join(tree, path), 'utf8');

/** Matches a word within names that are written as `someWord`, `SomeWord`, `SOME_WORD` or `some-word`. */
const inNames = (word: RegExp): RegExp => new RegExp(`(?<=^|\\s)(?:${word.source})(?=\\s|$)`);

/** The words of a name, lower case, each between spaces. */
const wordsOfName = (name: string): string =>
  name.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])|[_#$]/g, '$1$2 ').toLowerCase();

/** What a source has besides its sentences: comments and titles of tests as prose, and the words of its names. */
export function codeIn(path: string, source: string): { prose: Prose[]; names: Prose[] } {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path} does not parse`);
  const prose = comments.map(({ value, start }) => ({ line: lineAt(source, start), text: plainComment(value) }));
  const names = new Map<string, Prose>();
  visit(program, (node) => {
    const line = (): number => lineAt(source, Number(node.start));
    if (/^(?:Private)?Identifier$|^JSXIdentifier$/.test(String(node.type))) {
      const text = wordsOfName(String(node.name));
      if (!names.has(text)) names.set(text, { line: line(), text });
    }
    const title = titleOf(node);
    if (title !== null) prose.push({ line: line(), text: title.replace(codeName, ' ') });
    return true;
  });
  return { prose, names: [...names.values()] };
}

/** In one line, without the names of the code. */
const plainComment = (comment: string): string =>
  comment
    .replace(/\n\s*\*?/g, ' ')
    .replace(/`[^`]*`/g, ' ')
    .replace(codeName, ' ');

/** The title of a test or of a group of tests; null for any other node. */
function titleOf({ type, callee, arguments: values }: SyntaxNode): string | null {
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(values)) return null;
  const called = isNode(callee.callee) ? callee.callee : callee;
  const named = isNode(called.object) ? called.object : called;
  return /^(?:test|it|describe)$/.test(String(named.name)) && isNode(values[0]) ? textOf(values[0]) : null;
}

const styleComments = (style: string): Prose[] =>
  [...style.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: comment, index }) => ({
    line: lineAt(style, index),
    text: plainComment(comment),
  }));

/** The sentences for one file. */
export function found(
  path: string,
  prose: readonly Prose[],
  words: readonly RetiredWord[] = retiredWords,
  exceptions: readonly WordException[] = wordExceptions,
): string[] {
  const excepted = exceptions.filter((exception) => exception.path === path);
  return prose.flatMap(({ line, text }) =>
    excepted.some(({ containing }) => containing.test(text))
      ? []
      : words.flatMap(({ pattern, use }) => {
          const word = pattern.exec(text)?.[0];
          return word === undefined ? [] : [`${path}:${line}: "${word.trim()}" is retired: write ${use}`];
        }),
  );
}

/** What a person may read of a source: strings with a space or a capital in front, templates, and texts of JSX. */
export function sentencesIn(path: string, source: string): Prose[] {
  if (!/\.(?:tsx?|mjs)$/.test(path)) return paragraphsIn(source);
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path} does not parse`);
  const prose: Prose[] = [];
  visit(program, (node) => {
    if (/^(?:Import|ExportAll|TSLiteralType)/.test(String(node.type))) return false;
    const text = textOf(node);
    if (text !== null && !sql.test(text)) prose.push({ line: lineAt(source, Number(node.start)), text });
    return true;
  });
  return prose;
}

function textOf(node: SyntaxNode): string | null {
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'TemplateLiteral') return sentence(parts(node.quasis).join('…'));
  return node.type === 'Literal' && typeof node.value === 'string' ? sentence(node.value) : null;
}

/** A string of one small word is a name: a key, a class, a state. */
const sentence = (text: string): string | null => (/\s|^[A-Z]/.test(text) ? text.replace(codeName, ' ') : null);

function parts(quasis: unknown): string[] {
  const list: unknown[] = Array.isArray(quasis) ? quasis : [];
  return list.map((quasi) => {
    const value = isNode(quasi) && isNode(quasi.value) ? quasi.value : {};
    return String(value.cooked ?? value.raw);
  });
}

/**
 * The paragraphs of a document, each with its first line and in one line, without code, whose names are not prose. A
 * row of a table and an entry of a list is a paragraph.
 */
export function paragraphsIn(document: string): Prose[] {
  const prose: Prose[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [at, line] of document.split('\n').entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const last = prose.at(-1);
    const continues = isOpen && last !== undefined && !/^\s*(?:[-*|#>]|\d+\.)/.test(line);
    isOpen = !isCode && !isFence && line.trim() !== '';
    if (!isOpen) continue;
    if (continues) last.text += ` ${line.trim()}`;
    else prose.push({ line: at + 1, text: line.trim() });
  }
  return prose.map(({ line, text }) => ({
    line,
    text: text.replace(/`[^`]*`|\]\([^)]*\)|<[^>]*>|https?:\S+/g, ' '),
  }));
}

/** `node build/check-words.ts [path …]`: what is wrong below these paths. */
if (import.meta.main) {
  const only = process.argv.slice(2);
  const lines = checkWords()
    .report.split('\n')
    .filter((line) => only.length === 0 || only.some((path) => line.startsWith(path)));
  process.stdout.write(`${lines.join('\n')}\n${lines.filter((line) => line !== '').length} retired words\n`);
}
