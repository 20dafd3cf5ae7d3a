import type { CaseStory } from './case-sample.ts';
import { plainJson } from './case-words.ts';
import { SampleNames } from './sample-names.ts';
import { stixFile } from './stix-file.ts';
import { stixMarking } from './stix-markings.ts';
import { stixIdentity, stixReport, stixSample } from './stix-objects.ts';
import { caseUuid } from './uuid-v5.ts';

/**
 * A STIX 2.1 bundle: what each sample is observed to be, what points to it and what was said of it, and a report of it
 * all.
 */
export async function* stixBundle({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  const identity = stixIdentity(head);
  const refs: string[] = [];
  const names = new SampleNames();
  const taken = new Set<string>();
  const before = [...(head.tlp === null ? [] : [stixMarking(head.tlp)]), ...(identity === null ? [] : [identity])];
  const bundleUuid = caseUuid('bundle', head.desk, head.author, head.title, head.made.toISOString());
  yield `{"type":"bundle","id":"bundle--${bundleUuid}","objects":[`;
  yield before.map((object) => `\n${plainJson(object)},`).join('');
  for await (const samples of pages()) {
    for (const sample of samples) {
      const objects = stixSample({ sample, name: names.of(sample), file: stixFile(sample, taken) }, head);
      refs.push(...objects.map(({ id }) => id));
      yield objects.map((object) => `\n${plainJson(object)},`).join('');
    }
  }
  yield `\n${plainJson(stixReport(head, refs))}\n]}\n`;
}
