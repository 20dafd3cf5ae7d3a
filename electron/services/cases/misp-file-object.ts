import { cutText } from '../../rules/library/cut-text.ts';
import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, laterOf, shownLine } from './case-words.ts';
import {
  type MispAttribute,
  mispAttribute,
  type MispTag,
  mispTag,
  type MispValue,
  tlpTag,
  unixSeconds,
} from './misp-attribute.ts';
import { type MispObject, mispObject, type MispTemplate } from './misp-object.ts';

const template: MispTemplate = {
  name: 'file',
  category: 'file',
  uuid: '688c46fb-5edb-40a3-8273-1af7923e2215',
  version: '25',
  description: 'File object describing a file with meta-information',
};

/** A sample within an event. */
export function fileObject(sample: CaseSample, uuid: string, { made, tlp }: CaseHead): MispObject {
  const timestamp = unixSeconds(made);
  const { threat, firstSeen, lastSeen } = sample;
  return mispObject(template, {
    uuid,
    timestamp,
    comment: isSaid(threat) ? shownLine(threat) : '',
    seen: { first: firstSeen, last: laterOf(firstSeen, lastSeen) },
    attributes: valuesOf(sample).map((value) => tagged(mispAttribute(uuid, timestamp, value), hashTagsOf(sample, tlp))),
  });
}

/** Tags are of an event or an attribute, never of an object: those of the sample are with its hashes. */
const tagged = (attribute: MispAttribute, Tag: MispTag[]): MispAttribute =>
  attribute.to_ids && Tag.length > 0 ? { ...attribute, Tag } : attribute;

function hashTagsOf({ tags, serviceTags }: CaseSample, tlp: CaseHead['tlp']): MispTag[] {
  return [
    ...(tlp === null ? [] : [tlpTag(tlp)]),
    ...[...new Set([...tags, ...serviceTags].filter(isSaid).map(shownLine))].map(mispTag),
  ];
}

function valuesOf({ sha256, sha1, md5, name, sizeBytes, mime, type, hits }: CaseSample): MispValue[] {
  const hash = (relation: string, value: string | null): MispValue[] =>
    value === null ? [] : [{ relation, type: relation, category: 'Payload delivery', value, toIds: true }];
  const fact = (
    relation: string,
    value: string | null,
    category: MispValue['category'],
    mispType = relation,
  ): MispValue[] => (isSaid(value) ? [{ relation, type: mispType, category, value: shownLine(value) }] : []);
  return [
    ...hash('sha256', sha256),
    ...hash('sha1', sha1),
    ...hash('md5', md5),
    ...fact('filename', name, 'Payload delivery'),
    ...fact('size-in-bytes', sizeBytes === null ? null : String(sizeBytes), 'Other'),
    ...fact('mimetype', mime, 'Payload delivery', 'mime-type'),
    ...fact('magic', type === null ? null : cutText(type, longestLine), 'Other', 'text'),
    ...text(hits.flatMap((rule) => line('Matching YARA rule', rule))),
  ];
}

const line = (what: string, value: string | null): string[] => (isSaid(value) ? [`${what}: ${shownLine(value)}`] : []);

/** One for all rules. The template takes several, but an instance shows each as a row. */
const text = (lines: readonly string[]): MispValue[] =>
  lines.length === 0 ? [] : [{ relation: 'text', type: 'text', category: 'Other', value: withRoom(lines).join('\n') }];

/** An instance cuts a value that is longer without a word. */
const mostBytes = 65_535;
const roomForMore = 100;
const longestLine = 1000;

function withRoom(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const whole of lines) {
    const shown = cutText(whole, longestLine);
    bytes += Buffer.byteLength(shown) + 1;
    if (bytes > mostBytes - roomForMore)
      return [...kept, `and ${(lines.length - kept.length).toLocaleString('en')} more lines`];
    kept.push(shown);
  }
  return kept;
}
