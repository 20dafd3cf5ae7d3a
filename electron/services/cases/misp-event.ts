import type { CaseHead, CaseSample, CaseStory } from './case-sample.ts';
import { familyTagsOf } from './case-families.ts';
import { plainJson } from './case-words.ts';
import { mispTag, tlpTag, unixSeconds } from './misp-attribute.ts';
import { mispComments } from './misp-comments.ts';
import { fileObject, type MispObject } from './misp-file-object.ts';
import { caseUuid } from './uuid-v5.ts';

/** The JSON of an attribute with a sample's bytes, in pieces; null: it has none. */
export type SampleAttribute = (sample: CaseSample, object: MispObject) => Promise<AsyncIterable<string> | null>;

const dayLength = 'YYYY-MM-DD'.length;

/** An event as a MISP instance takes it: an object `file` a sample, and what was written about them as comments. */
export async function* mispEvent({ head, pages }: CaseStory, sampleAttribute: SampleAttribute): AsyncGenerator<string, void, void> {
  const event = eventOf(head);
  let attributes = 0;
  yield `{"Event":${plainJson(event).slice(0, -1)},"Object":[`;
  let separator = '';
  for await (const samples of pages()) {
    for (const sample of samples) {
      const object = fileObject(sample, event.uuid, head);
      attributes += object.Attribute.length;
      yield `${separator}\n${plainJson(object).slice(0, -']}'.length)}`;
      const bytes = await sampleAttribute(sample, object);
      if (bytes !== null) {
        attributes += 1;
        yield ',';
        yield* bytes;
      }
      yield ']}';
      separator = ',';
    }
  }
  yield '\n],"Attribute":[';
  separator = '';
  if (head.include.notes || head.include.comments) {
    for await (const samples of pages()) {
      for (const comment of samples.flatMap((sample) => mispComments(sample, event.uuid, head))) {
        attributes += 1;
        yield `${separator}\n${plainJson(comment)}`;
        separator = ',';
      }
    }
  }
  yield `\n],"attribute_count":"${attributes}"}}\n`;
}

/** For nobody's case an instance takes the organisation of whoever takes it in. */
function eventOf({ title, author, tlp, made, summary }: CaseHead) {
  const timestamp = unixSeconds(made);
  return {
    id: '0', uuid: caseUuid('event', author, title), info: title, date: made.toISOString().slice(0, dayLength), timestamp,
    // Undefined and ongoing: nobody has rated the case as a whole
    threat_level_id: '4', analysis: '1',
    // Whoever takes it in says who else may see it
    distribution: '0', sharing_group_id: '0', published: false, publish_timestamp: '0', org_id: '0', orgc_id: '0', extends_uuid: '',
    ...(author === '' ? {} : { Orgc: { id: '0', name: author, uuid: caseUuid('organisation', author) } }),
    Tag: [...(tlp === null ? [] : [tlpTag(tlp)]), ...familyTagsOf(summary).map(mispTag)],
  };
}
