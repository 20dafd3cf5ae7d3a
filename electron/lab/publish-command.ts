import type { BrokenRule } from '../../shared/domain/publication.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { encodingOf, utf8OfLatin1 } from '../rules/rule-encoding.ts';
import type { CommandOf, Terminal } from './commands.ts';
import { Publisher } from './publisher.ts';
import { collectRules } from './rule-sources.ts';
import { openStoppedLab } from './stopped-lab.ts';

/** Why there is no publication now; what is wrong with the rules was said before. */
export class NothingPublished extends Error {
  override readonly name = 'NothingPublished';
}

/**
 * Publishes rules of this computer. A line `<id> <version>` when it did; broken rules are a line each, and so is what
 * was left out. @throws NothingPublished
 */
export async function publishFiles(
  { dataDirectory, version, group, files: named, leavesOutBroken, converts }: CommandOf<'publish'>,
  terminal: Terminal,
): Promise<void> {
  const { files: read, unread, reading } = await collectRules(named, converts);
  for (const broken of unread) terminal.remark(lineOf(broken));
  if (reading.leftOut > 0) terminal.remark(`Other files skipped: ${reading.leftOut}`);
  if (reading.links > 0) terminal.remark(`Links not followed: ${reading.links}`);
  if (unread.length > 0 && !leavesOutBroken)
    throw new NothingPublished(`Nothing was published: ${unread.length} cannot be read.`);
  if (read.length === 0) throw new NothingPublished('Nothing was published: no rule files found.');
  const files = converts
    ? read.map(({ path, bytes }) => ({ path, bytes: encodingOf(bytes) === 'latin1' ? utf8OfLatin1(bytes) : bytes }))
    : read;
  const draft = { version, group, files, leavesOutBroken };
  const stores = await openStoppedLab(
    dataDirectory,
    'publish to it, in Vitrine under Publications or with a token that has the right publish',
  );
  try {
    const outcome = await new Publisher(stores).publish(draft, new AbortController().signal);
    switch (outcome.kind) {
      case 'published':
        for (const broken of outcome.leftOut) terminal.remark(lineOf(broken));
        if (outcome.leftOut.length > 0) terminal.remark(`Skipped: ${outcome.leftOut.length} broken.`);
        return terminal.result(`${outcome.publication.id}  ${version}`);
      case 'version-taken':
        throw new NothingPublished(`Version ${version} is already published.`);
      case 'broken':
        for (const broken of outcome.broken) terminal.remark(lineOf(broken));
        throw new NothingPublished(`Nothing was published: ${outcome.broken.length} broken.`);
    }
  } finally {
    await stores.close();
  }
}

/** As compilers write it. Names come from the files and must not act on a terminal. */
function lineOf({ file, line, rule, text }: BrokenRule): string {
  return visibleLine(`${file}:${line}: ${rule === null ? '' : `${rule}: `}${text}`);
}
