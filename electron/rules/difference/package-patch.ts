import { lineDifference } from '../../../shared/domain/line-difference.ts';
import type { DifferenceLine } from '../../../shared/domain/publication.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';

/** Some files of a patch; `next`: where the next ones begin, null after the last. */
export interface PatchWindow {
  text: string;
  next: number | null;
}

const mostCharacters = 512 * 1024;
/** Lines around a change. */
const context = 3;

/**
 * What turns the files of one package into those of another, as `git apply` takes it. `at` counts the paths of both.
 * Files are compared as they were read: without a byte order mark, and those that are no UTF-8 are not in it.
 */
export function packagePatch(from: IndexedPackage | null, to: IndexedPackage, at: number): PatchWindow {
  const paths = [...new Set([...(from?.files.keys() ?? []), ...to.files.keys()])].toSorted();
  const parts: string[] = [];
  let characters = 0;
  for (let next = at; next < paths.length; next += 1) {
    const path = paths[next] ?? '';
    const part = filePatch(path, from?.files.get(path)?.text ?? null, to.files.get(path)?.text ?? null);
    parts.push(part);
    characters += part.length;
    if (characters >= mostCharacters && next + 1 < paths.length) return { text: parts.join(''), next: next + 1 };
  }
  return { text: parts.join(''), next: null };
}

/** null: there is no such file. @returns "" where nothing differs */
export function filePatch(path: string, old: string | null, next: string | null): string {
  if (old === next) return '';
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const mode = old === null ? 'new file mode 100644\n' : next === null ? 'deleted file mode 100644\n' : '';
  const head = `diff --git ${a} ${b}\n${mode}`;
  // Without a line there is no hunk, and git knows the file by its hash alone.
  if ((old ?? '') === '' && (next ?? '') === '')
    return `${head}index ${old === null ? '0000000..e69de29' : 'e69de29..0000000'}\n`;
  const sides = { old: sideOf(old), next: sideOf(next) };
  const lines = lineDifference({ first: 1, lines: sides.old.lines }, { first: 1, lines: sides.next.lines });
  const from = old === null ? '/dev/null' : a;
  const to = next === null ? '/dev/null' : b;
  return `${head}--- ${from}\n+++ ${to}\n${hunksOf(lines, sides)}`;
}

interface Side {
  /** With what is behind the last line end, which a last line without one differs by. */
  lines: string[];
  endsOpen: boolean;
}

function sideOf(text: string | null): Side {
  const lines = (text ?? '').split('\n');
  const endsOpen = lines.at(-1) !== '';
  if (!endsOpen) lines.pop();
  else lines[lines.length - 1] = `${lines.at(-1) ?? ''}${openEnd}`;
  return { lines, endsOpen };
}

/** A last line that no line end follows is another one than the same with it. */
const openEnd = '\n\\ No newline at end of file';
const signs = { same: ' ', removed: '-', added: '+' } as const;

function hunksOf(lines: readonly DifferenceLine[], sides: { old: Side; next: Side }): string {
  const hunks: string[] = [];
  for (const [start, end] of rangesOf(lines)) {
    const some = lines.slice(start, end);
    const olds = some.filter(({ kind }) => kind !== 'added').length;
    const nexts = some.filter(({ kind }) => kind !== 'removed').length;
    // A side without a line here has none at all: around every change there are lines that are the same.
    const oldFirst = some.find(({ old }) => old !== null)?.old ?? 0;
    const nextFirst = some.find(({ new: next }) => next !== null)?.new ?? 0;
    hunks.push(`@@ -${oldFirst},${olds} +${nextFirst},${nexts} @@\n`);
    for (const { kind, old, new: next } of some)
      hunks.push(
        `${signs[kind]}${(next === null ? sides.old.lines[(old ?? 1) - 1] : sides.next.lines[next - 1]) ?? ''}\n`,
      );
  }
  return hunks.join('');
}

/** Changes with the lines around them; those that touch are one. The ends are exclusive. */
function rangesOf(lines: readonly DifferenceLine[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    const last = ranges.at(-1);
    const [start, end] = [Math.max(0, at - context), Math.min(lines.length, at + 1 + context)];
    if (last !== undefined && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

/** As git quotes a path that would end or change its line. */
function quoted(path: string): string {
  if (!/["\\\p{Cc}]/u.test(path)) return path;
  const shown = path
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (sign) =>
      [...Buffer.from(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `"${shown}"`;
}
