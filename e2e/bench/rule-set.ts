import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RuleSetOptions {
  files: number;
  rulesEach: number;
  /** The next release: of the first files one rule each is new, gone, or changed. */
  isNewer?: boolean;
  /** The number of the first rule: sets that begin elsewhere have no rule and no string in common. */
  from?: number;
}

/**
 * Rules as teams write them: meta, tags, four texts, a hex string, in one of ten a regular expression, a condition with
 * a module. Lays them out as files.
 */
export async function layRules(
  folder: string,
  { files, rulesEach, isNewer = false, from = 0 }: RuleSetOptions,
): Promise<void> {
  await mkdir(folder);
  for (let file = 0; file < files; file += 1) {
    const rules = Array.from({ length: rulesEach }, (_, index) => ruleText(from + file * rulesEach + index, 1));
    if (isNewer) change(rules, file, from);
    await writeFile(join(folder, `family-${String(file).padStart(3, '0')}.yar`), `import "pe"\n\n${rules.join('\n')}`);
  }
}

/** What a usual update does: two more, one fewer, three changed. */
function change(rules: string[], file: number, from: number): void {
  if (file === 0 || file === 1) rules.push(ruleText(from + 500_000 + file, 1));
  else if (file === 2) rules.splice(7, 1);
  else if (file < 6) rules[3] = ruleText(from + file * rules.length + 3, 2);
}

export const updateOfRules = { added: 2, removed: 1, changed: 3 } as const;

function ruleText(number: number, revision: number): string {
  const texts = Array.from(
    { length: 4 },
    (_, index) =>
      `    $text_${index} = "${digest(`text ${index} ${number}`).slice(0, 20)}" ` +
      `${index % 2 === 0 ? 'ascii wide' : 'fullword ascii'}\n`,
  );
  const pattern =
    number % 10 === 0 ? `    $conf = /conf_[a-z]{3}_${digest(`conf ${number}`).slice(0, 8)}[0-9]+/\n` : '';
  const megabytes = (number % 9) + revision;
  const sections = (number % 20) + 3;
  return `rule family_${number} : family tag_${number % 7} {
  meta:
    author = "bench"
    description = "What family ${number} leaves behind"
    revision = ${revision}
  strings:
${texts.join('')}    $code = { ${hexString(number)} }
${pattern}  condition:
    uint16(0) == 0x5A4D and filesize < ${megabytes}MB and (2 of them or pe.number_of_sections > ${sections})
}
`;
}

function hexString(number: number): string {
  const bytes = digest(`bytes ${number}`).match(/../g) ?? [];
  return [...bytes.slice(0, 10), '??', ...bytes.slice(10, 20), '[2-4]', ...bytes.slice(20, 26)].join(' ');
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
