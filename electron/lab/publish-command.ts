import type { BrokenRule } from '../../shared/domain/publication.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import type { RuleFile } from '../rules/rule-file.ts';
import { WrongArguments } from './command-line.ts';
import type { CommandOf, Terminal } from './commands.ts';
import { gathered } from './gathered.ts';
import { refusedPath } from './package-path.ts';
import { packageLimits } from './publish-form.ts';
import { Publisher } from './publisher.ts';
import { readable } from './readable-file.ts';
import { openStoppedLab } from './stopped-lab.ts';

/** Why there is no publication now; what is wrong with the rules was said before. */
export class NothingPublished extends Error {
  override readonly name = 'NothingPublished';
}

/** Publishes rule files of this computer. A line `<id>  <version>` when it did; broken rules are a line each. @throws NothingPublished */
export async function publishFiles({ dataDirectory, version, group, files }: CommandOf<'publish'>, terminal: Terminal): Promise<void> {
  const draft = { version, group, files: await readFiles(files) };
  const stores = await openStoppedLab(dataDirectory, 'publish in it: in Vitrine under Publications, or with a token that may publish');
  try {
    const outcome = await new Publisher(stores).publish(draft, new AbortController().signal);
    switch (outcome.kind) {
      case 'published': return terminal.result(`${outcome.publication.id}  ${version}`);
      case 'version-taken': throw new NothingPublished(`The version ${version} is published already.`);
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

async function readFiles(named: readonly { path: string; name: string }[]): Promise<RuleFile[]> {
  if (named.length > packageLimits.files) throw new WrongArguments(`A package has at most ${packageLimits.files} files.`);
  const files: RuleFile[] = [];
  let leftBytes: number = packageLimits.bytes;
  for (const { path, name } of named) {
    const refusal = refusedPath(name);
    if (refusal !== null) throw new WrongArguments(refusal);
    if (files.some((file) => file.path === name)) throw new WrongArguments(`${JSON.stringify(name)} is there twice; --root keeps files of one name apart.`);
    const bytes = await gathered(readable(path), leftBytes);
    if (bytes === null) throw new WrongArguments(`The files of a package have at most ${packageLimits.bytes} bytes together.`);
    leftBytes -= bytes.length;
    files.push({ path: name, bytes });
  }
  return files;
}
