import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { caseUuid } from './uuid-v5.ts';

/** A template of misp-objects, at the version whose relations are used here. */
export interface MispTemplate {
  name: string;
  category: string;
  uuid: string;
  version: string;
  description: string;
}

/** A reference from an object to another one of the event. */
interface MispReference {
  id: '0';
  uuid: string;
  timestamp: string;
  object_id: '0';
  event_id: '0';
  object_uuid: string;
  referenced_uuid: string;
  referenced_id: '0';
  /** An object, not an attribute. */
  referenced_type: '1';
  relationship_type: 'annotates';
  comment: '';
  deleted: false;
}

export interface MispObject {
  id: '0';
  uuid: string;
  event_id: '0';
  name: string;
  'meta-category': string;
  description: string;
  template_uuid: string;
  template_version: string;
  timestamp: string;
  distribution: '5';
  sharing_group_id: '0';
  comment: string;
  deleted: false;
  first_seen?: string;
  last_seen?: string;
  ObjectReference: MispReference[];
  Attribute: MispAttribute[];
}

interface ObjectFacts {
  uuid: string;
  timestamp: string;
  comment: string;
  /** UTC, ISO 8601. */
  seen?: { first: string; last: string };
  /** The UUID of an object that it annotates. */
  annotates?: string | null;
  attributes: MispAttribute[];
}

export function mispObject(
  template: MispTemplate,
  { uuid, timestamp, comment, seen, annotates = null, attributes }: ObjectFacts,
): MispObject {
  return {
    id: '0',
    uuid,
    event_id: '0',
    name: template.name,
    'meta-category': template.category,
    description: template.description,
    template_uuid: template.uuid,
    template_version: template.version,
    timestamp,
    distribution: '5',
    sharing_group_id: '0',
    comment,
    deleted: false,
    ...(seen ? { first_seen: seen.first, last_seen: seen.last } : {}),
    ObjectReference: annotates === null ? [] : [annotation(uuid, annotates, timestamp)],
    Attribute: attributes,
  };
}

const annotation = (from: string, to: string, timestamp: string): MispReference => ({
  id: '0',
  uuid: caseUuid('reference', from, to),
  timestamp,
  object_id: '0',
  event_id: '0',
  object_uuid: from,
  referenced_uuid: to,
  referenced_id: '0',
  referenced_type: '1',
  relationship_type: 'annotates',
  comment: '',
  deleted: false,
});

/**
 * Attributes as the MISP core format has them. Numbers of an instance ("id" and the like) are its own to give: they are
 * "0", and each thing is known by its UUID.
 */

export interface MispTag {
  id: '0';
  name: string;
  colour: string;
  exportable: true;
}

export interface MispAttribute {
  id: '0';
  uuid: string;
  event_id: '0';
  object_id: '0';
  object_relation: string;
  type: string;
  category: string;
  value: string;
  to_ids: boolean;
  distribution: '5';
  sharing_group_id: '0';
  timestamp: string;
  comment: '';
  deleted: false;
  disable_correlation: boolean;
  Tag?: MispTag[];
}

/** What is said by an attribute. `uuid` is that of the thing it belongs to. */
export interface MispValue {
  relation: string;
  type: string;
  category: 'Payload delivery' | 'Other';
  value: string;
  /** Whether a detection may be built of it. */
  toIds?: boolean;
}

/** As FIRST gives the colours of TLP 2.0. */
const tlpColours: Readonly<Record<TlpLevel, string>> = {
  clear: '#FFFFFF',
  green: '#33FF00',
  amber: '#FFC000',
  'amber+strict': '#FFC000',
  red: '#FF2B2B',
};
const plainColour = '#58646E';

export const tlpTag = (level: TlpLevel): MispTag => ({ ...mispTag(`tlp:${level}`), colour: tlpColours[level] });
export const mispTag = (name: string): MispTag => ({ id: '0', name, colour: plainColour, exportable: true });

export const unixSeconds = (time: Date): string => String(Math.floor(time.getTime() / 1000));

/** Of a thing that is known by `owner`. Only hashes are set against those of other events. */
export function mispAttribute(
  owner: string,
  timestamp: string,
  { relation, type, category, value, toIds = false }: MispValue,
): MispAttribute {
  return {
    id: '0',
    uuid: caseUuid('attribute', owner, relation),
    event_id: '0',
    object_id: '0',
    object_relation: relation,
    type,
    category,
    value,
    to_ids: toIds,
    distribution: '5',
    sharing_group_id: '0',
    timestamp,
    comment: '',
    deleted: false,
    disable_correlation: !toIds,
  };
}
