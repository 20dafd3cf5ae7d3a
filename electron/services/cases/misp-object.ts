import type { MispAttribute } from './misp-attribute.ts';
import { caseUuid } from './uuid-v5.ts';

/** A template of misp-objects, at the version whose relations are used here. */
export interface MispTemplate {
  name: string;
  category: string;
  uuid: string;
  version: string;
  description: string;
}

/** What an object says of another one of the event. */
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

interface Told {
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
  { uuid, timestamp, comment, seen, annotates = null, attributes }: Told,
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
