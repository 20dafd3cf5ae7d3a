import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { CheckOutcome } from './check-outcome.ts';
import { root } from './paths.ts';
import { type RetiredWord, retiredWords, type WordException, wordExceptions } from './retired-words.ts';
import { isNode, lineAt, type SyntaxNode, visit } from './syntax-tree.ts';

const sources = ['{electron,renderer,shared,build}/**/*.{ts,tsx,mjs}', 'e2e/tour/**/*.ts', 'package.json', '*.html'];
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
 * Checks that no sentence a person reads has a retired word: strings and texts of the page, the command line and the
 * host, and documents. Names of the code, comments and tests are not read, nor is what a document has as code.
 */
export function checkWords(tree: string = root, exceptions: readonly WordException[] = wordExceptions): CheckOutcome {
  const problemsOf = (path: string, prose: readonly Prose[]): string[] => found(path, prose, retiredWords, exceptions);
  const problems = [
    ...filesOf(tree, sources).flatMap((path) => problemsOf(path, sentencesIn(path, read(tree, path)))),
    ...filesOf(tree, documents).flatMap((path) => problemsOf(path, paragraphsIn(read(tree, path)))),
  ];
  return { name: 'words', passed: problems.length === 0, report: problems.join('\n') };
}

function filesOf(tree: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: tree })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !forTests.test(path) && !path.includes('node_modules/') && path !== itself)
    .toSorted();
}

const read = (tree: string, path: string): string => readFileSync(posix.join(tree, path), 'utf8');

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
  if (errors.length > 0) return [{ line: 1, text: 'does not parse' }];
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
