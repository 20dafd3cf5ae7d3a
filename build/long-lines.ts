import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getFileInfo } from 'prettier';
import { z } from 'zod';
import { root } from './paths.ts';

const sources = '**/*.{ts,tsx,mjs,cjs,js,css,json,jsonc}';
const config: unknown = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8'));
const { printWidth } = z.object({ printWidth: z.number() }).parse(config);

const advice = 'Break these lines by hand: Prettier does not break strings and comments.';

/**
 * Lists the lines that are longer than the `printWidth` of Prettier, which does not break strings and comments. Files
 * in `.prettierignore` may have such lines.
 *
 * @returns one problem per line, and then what to do; empty if no line is too long
 */
export async function longLines(tree: string = root): Promise<string> {
  const problems: string[] = [];
  for (const path of globSync(sources, { cwd: tree, exclude: ['node_modules', '.out'] }).toSorted()) {
    const found = longLinesOf(path.replaceAll('\\', '/'), readFileSync(join(tree, path), 'utf8'));
    if (found.length > 0 && !(await isIgnored(tree, path))) problems.push(...found);
  }
  return problems.length === 0 ? '' : [...problems, advice, ''].join('\n');
}

function longLinesOf(path: string, text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const { length } = [...line];
    return length <= printWidth ? [] : [`${path}:${index + 1}: ${length} characters, at most ${printWidth}`];
  });
}

async function isIgnored(tree: string, path: string): Promise<boolean> {
  const options = { ignorePath: join(tree, '.prettierignore'), resolveConfig: false };
  return (await getFileInfo(join(tree, path), options)).ignored;
}
