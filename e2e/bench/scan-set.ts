import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ScanSet {
  /** The samples, laid open. */
  files: string;
  rules: string;
  /** How many files a rule hits. */
  hits: number;
}

/** Every so many-th file holds what one of the rules looks for. */
const hitEvery = 20;
const hitOffset = 1000;

/** Unknown files, and rules with two texts and a hex string each. */
export async function layScanSet(
  folder: string,
  { files, bytesEach, rules }: { files: number; bytesEach: number; rules: number },
): Promise<ScanSet> {
  const set = { files: join(folder, 'files'), rules: join(folder, 'rules.yar'), hits: 0 };
  await mkdir(set.files);
  for (let number = 0; number < files; number += 1) {
    const bytes = randomBytes(bytesEach);
    if (number % hitEvery === 0) {
      bytes.write(markOf(number % rules), hitOffset);
      set.hits += 1;
    }
    await writeFile(join(set.files, `sample-${String(number).padStart(5, '0')}`), bytes);
  }
  await writeFile(set.rules, Array.from({ length: rules }, (_, number) => ruleText(number)).join('\n'));
  return set;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const markOf = (rule: number): string => digest(`mark ${rule}`).slice(0, 20);
const hexOf = (text: string): string => (digest(text).slice(0, 8).match(/../g) ?? []).join(' ');

const ruleText = (number: number): string => `rule family_${number} {
  strings:
    $mark = "${markOf(number)}"
    $wide = "${digest(`wide ${number}`).slice(0, 16)}" wide
    $code = { ${hexOf(`code ${number}`)} ?? ${hexOf(`end ${number}`)} }
  condition:
    any of them
}
`;
