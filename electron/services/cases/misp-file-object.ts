import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, shownLine } from './case-words.ts';
import { type MispAttribute, mispAttribute, type MispTag, mispTag, type MispValue, tlpTag, unixSeconds } from './misp-attribute.ts';
import { caseUuid } from './uuid-v5.ts';

/** The template `file` of misp-objects, at the version whose relations are used here. */
const template = { uuid: '688c46fb-5edb-40a3-8273-1af7923e2215', version: '24', description: 'File object describing a file with meta-information' } as const;

export interface MispObject {
  id: '0';
  uuid: string;
  event_id: '0';
  name: 'file';
  'meta-category': 'file';
  description: string;
  template_uuid: string;
  template_version: string;
  timestamp: string;
  distribution: '5';
  sharing_group_id: '0';
  comment: string;
  deleted: false;
  first_seen: string;
  last_seen: string;
  ObjectReference: never[];
  Attribute: MispAttribute[];
}

/** A sample within an event. The same sample in another event is another object: an instance takes each UUID in one event only. */
export function fileObject(sample: CaseSample, eventUuid: string, { made, tlp }: CaseHead): MispObject {
  const uuid = objectUuid(sample, eventUuid);
  const timestamp = unixSeconds(made);
  const tags = [...(tlp === null ? [] : [tlpTag(tlp)]), ...tagsOf(sample)];
  return {
    id: '0', uuid, event_id: '0', name: 'file', 'meta-category': 'file', description: template.description, template_uuid: template.uuid, template_version: template.version,
    timestamp, distribution: '5', sharing_group_id: '0', comment: isSaid(sample.threat) ? shownLine(sample.threat) : '', deleted: false,
    first_seen: sample.firstSeen, last_seen: sample.lastSeen, ObjectReference: [],
    Attribute: valuesOf(sample).map((value) => tagged(mispAttribute(uuid, timestamp, value), tags)),
  };
}

export const objectUuid = ({ hash }: CaseSample, eventUuid: string): string => caseUuid('object', eventUuid, hash);

/** Tags are of an event or an attribute, never of an object: those of the sample are with its hashes. */
const tagged = (attribute: MispAttribute, Tag: MispTag[]): MispAttribute => (attribute.to_ids && Tag.length > 0 ? { ...attribute, Tag } : attribute);

const tagsOf = ({ tags, serviceTags }: CaseSample): MispTag[] => [...new Set([...tags, ...serviceTags].filter(isSaid).map(shownLine))].map(mispTag);

function valuesOf({ sha256, sha1, md5, name, sizeBytes, mime, type, hits }: CaseSample): MispValue[] {
  const hash = (relation: string, value: string | null): MispValue[] => (value === null ? [] : [{ relation, type: relation, category: 'Payload delivery', value, toIds: true }]);
  const fact = (relation: string, value: string | null, category: MispValue['category'], mispType = relation): MispValue[] =>
    (isSaid(value) ? [{ relation, type: mispType, category, value: shownLine(value) }] : []);
  return [
    ...hash('sha256', sha256), ...hash('sha1', sha1), ...hash('md5', md5),
    ...fact('filename', name, 'Payload delivery'),
    ...fact('size-in-bytes', sizeBytes === null ? null : String(sizeBytes), 'Other'),
    ...fact('mimetype', mime, 'Payload delivery', 'mime-type'),
    ...text('type', type === null ? [] : [type], 'File type'),
    ...text('hit', hits, 'YARA rule that matches'),
  ];
}

const text = (what: string, values: readonly string[], comment: string): MispValue[] => values.filter(isSaid).map((value) => ({
  relation: 'text', type: 'text', category: 'Other', value: shownLine(value), comment, key: `${what}/${value}`,
}));
