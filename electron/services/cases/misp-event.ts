import type { CaseHead, CaseSample, CaseStory } from './case-sample.ts';
import { familyTagsOf } from './case-families.ts';
import { plainJson } from './case-words.ts';
import { mispAnnotations, mispAuthor } from './misp-annotations.ts';
import { mispTag, tlpTag, unixSeconds } from './misp-attribute.ts';
import { fileObject } from './misp-file-object.ts';
import type { MispObject } from './misp-object.ts';
import { SampleNames } from './sample-names.ts';
import { caseUuid } from './uuid-v5.ts';

/**
 * The JSON of an attribute with a sample's bytes, in pieces; none: it has none. With the first piece it is known
 * whether it has.
 */
export type SampleAttribute = (sample: CaseSample, object: MispObject) => AsyncGenerator<string, void, void>;

const dayLength = 'YYYY-MM-DD'.length;

/**
 * An event as a MISP instance takes it: an object `file` a sample, and behind it one for each text that was written
 * about it.
 */
export async function* mispEvent(
  { head, pages }: CaseStory,
  sampleAttribute: SampleAttribute,
): AsyncGenerator<string, void, void> {
  const event = eventOf(head);
  const names = new SampleNames();
  let attributes = 0;
  let separator = '';
  const objectText = ({ Attribute, ...object }: MispObject): string => {
    attributes += Attribute.length;
    const before = separator;
    separator = ',';
    return `${before}\n${plainJson({ ...object, Attribute }).slice(0, -']}'.length)}`;
  };
  yield `{"Event":${plainJson(event).slice(0, -1)},"Object":[`;
  if (head.author !== '') yield `${objectText(mispAuthor(event.uuid, head))}]}`;
  for await (const samples of pages()) {
    for (const sample of samples) {
      // The same sample in another event is another object: an instance takes each UUID in one event only
      const object = fileObject(sample, caseUuid('object', event.uuid, names.of(sample)), head);
      const bytes = sampleAttribute(sample, object);
      try {
        const first = await bytes.next();
        yield objectText(object);
        if (first.done !== true) {
          attributes += 1;
          yield `,${first.value}`;
          yield* bytes;
        }
      } finally {
        await bytes.return();
      }
      yield `]}${mispAnnotations(sample, object)
        .map((annotation) => `${objectText(annotation)}]}`)
        .join('')}`;
    }
  }
  yield `\n],"Attribute":[],"attribute_count":"${attributes}"}}\n`;
}

/** Without `Orgc` an instance takes the organisation of whoever takes it in. */
function eventOf({ desk, title, author, tlp, made, summary }: CaseHead) {
  const timestamp = unixSeconds(made);
  return {
    id: '0',
    uuid: caseUuid('event', desk, author, title),
    info: title,
    date: made.toISOString().slice(0, dayLength),
    timestamp,
    // Undefined and ongoing: nobody has rated the case as a whole
    threat_level_id: '4',
    analysis: '1',
    // Whoever takes it in says who else may see it
    distribution: '0',
    sharing_group_id: '0',
    published: false,
    publish_timestamp: '0',
    org_id: '0',
    orgc_id: '0',
    extends_uuid: '',
    Tag: [...(tlp === null ? [] : [tlpTag(tlp)]), ...familyTagsOf(summary).map(mispTag)],
  };
}
