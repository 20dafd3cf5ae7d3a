import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anything, type Demand, expectDemands, text, type Thing, things, uuid } from './case-demands.fixture.ts';
import type { CaseSample } from './case-sample.ts';
import { goldenCases, otherSample, storyOf, textOf } from './case.fixture.ts';

const unsigned = /^\d+$/;
const base64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

const mispEvent = {
  uuid,
  id: unsigned,
  published: 'boolean',
  info: /^[^\n]{1,256}$/,
  threat_level_id: ['1', '2', '3', '4'],
  analysis: ['0', '1', '2'],
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: unsigned,
  publish_timestamp: unsigned,
  org_id: unsigned,
  orgc_id: unsigned,
  attribute_count: unsigned,
  distribution: ['0', '1', '2', '3', '4'],
  sharing_group_id: unsigned,
} as const;
const mispAttribute = {
  uuid,
  id: unsigned,
  type: text,
  category: text,
  to_ids: 'boolean',
  event_id: unsigned,
  distribution: ['0', '1', '2', '3', '4', '5'],
  timestamp: unsigned,
  comment: /^[^]*$/,
  sharing_group_id: unsigned,
  deleted: 'boolean',
  value: text,
} as const;
const mispObject = {
  uuid,
  id: unsigned,
  description: text,
  template_version: unsigned,
  event_id: unsigned,
  timestamp: unsigned,
  distribution: ['0', '1', '2', '3', '4', '5'],
  sharing_group_id: unsigned,
  deleted: 'boolean',
  ObjectReference: 'array',
  Attribute: 'array',
} as const;
const mispReference = {
  uuid,
  id: unsigned,
  object_id: unsigned,
  event_id: unsigned,
  timestamp: unsigned,
  object_uuid: uuid,
  referenced_uuid: uuid,
  referenced_type: ['0', '1'],
  relationship_type: ['annotates'],
  comment: /^[^]*$/,
  deleted: 'boolean',
} as const;
const mispTag = { name: text, id: unsigned, colour: /^#[0-9A-F]{6}$/, exportable: 'boolean' } as const;

/** Which types a category may have, of those that occur here. */
const categories: Readonly<Record<string, readonly string[]>> = {
  'Payload delivery': ['md5', 'sha1', 'sha256', 'filename', 'mime-type', 'malware-sample', 'text', 'comment'],
  Other: ['comment', 'text', 'size-in-bytes', 'datetime'],
};

interface Template {
  fixed: Readonly<Record<string, Demand>>;
  /** Relations and the types they have. */
  relations: Readonly<Record<string, string>>;
  /** Relations that may occur several times. */
  multiple: readonly string[];
  oneOf: readonly string[];
  /** Relations that are never set against those of other events. */
  uncorrelated: readonly string[];
}
const templates: Readonly<Record<string, Template>> = {
  file: {
    fixed: {
      'meta-category': ['file'],
      template_uuid: ['688c46fb-5edb-40a3-8273-1af7923e2215'],
      template_version: ['25'],
    },
    relations: {
      md5: 'md5',
      sha1: 'sha1',
      sha256: 'sha256',
      filename: 'filename',
      'size-in-bytes': 'size-in-bytes',
      mimetype: 'mime-type',
      magic: 'text',
      text: 'text',
      'malware-sample': 'malware-sample',
    },
    multiple: ['filename'],
    oneOf: ['md5', 'sha1', 'sha256', 'filename', 'size-in-bytes', 'malware-sample'],
    uncorrelated: ['size-in-bytes', 'mimetype', 'magic', 'text', 'filename'],
  },
  annotation: {
    fixed: {
      'meta-category': ['misc'],
      template_uuid: ['5d8dc046-15a1-4ca3-a09f-ed4ede7c4487'],
      template_version: ['3'],
    },
    relations: { text: 'text', type: 'text', 'creation-date': 'datetime' },
    multiple: [],
    oneOf: ['text'],
    uncorrelated: ['type'],
  },
};

/** The values of the taxonomy that TLP 2.0 has. */
const tlpTags = ['tlp:red', 'tlp:amber', 'tlp:amber+strict', 'tlp:green', 'tlp:clear'];

describe.each(Object.entries(goldenCases))('the event of %s', (_name, reported) => {
  const read = async (): Promise<Thing> =>
    z.object({ Event: anything }).parse(JSON.parse(await textOf('misp', storyOf(reported)))).Event;
  const objects = (event: Thing): Thing[] => things.parse(event['Object']);
  const attributesOf = (thing: Thing): Thing[] => things.parse(thing['Attribute']);

  test('has what the core format requires', async () => {
    const event = await read();
    expectDemands(event, mispEvent);
    expect([event['distribution'], event['sharing_group_id'], event['published'], event['publish_timestamp']]).toEqual([
      '0',
      '0',
      false,
      '0',
    ]);
    expect(event).not.toHaveProperty('Orgc');
    const attributes = [...attributesOf(event), ...objects(event).flatMap(attributesOf)];
    expect(event['attribute_count']).toBe(String(attributes.length));
    for (const attribute of attributes) {
      expectDemands(attribute, mispAttribute);
      expect(categories[String(attribute['category'])]).toContain(attribute['type']);
      if (attribute['type'] === 'malware-sample') expectDemands(attribute, { data: base64 });
      for (const tag of things.parse(attribute['Tag'] ?? [])) expectDemands(tag, mispTag);
    }
    for (const tag of things.parse(event['Tag'])) expectDemands(tag, mispTag);
  });

  test('has objects as their templates require, one for each sample and one for its author', async () => {
    const event = await read();
    const named = (name: string): Thing[] => objects(event).filter((object) => object['name'] === name);
    expect(named('file')).toHaveLength(reported.samples.length);
    const types = named('annotation')
      .flatMap(attributesOf)
      .filter((attribute) => attribute['object_relation'] === 'type')
      .map(({ value }) => value);
    expect(types.filter((type) => type === 'Authors')).toHaveLength(reported.author === '' ? 0 : 1);
    for (const object of objects(event)) {
      const { fixed, relations, multiple, oneOf, uncorrelated } =
        templates[String(object['name'])] ?? expect.fail(`an object ${String(object['name'])}`);
      expectDemands(object, { ...mispObject, ...fixed });
      const found = attributesOf(object).map((attribute) => String(attribute['object_relation']));
      for (const attribute of attributesOf(object))
        expect(relations[String(attribute['object_relation'])]).toBe(attribute['type']);
      for (const attribute of attributesOf(object))
        if (uncorrelated.includes(String(attribute['object_relation'])))
          expect(attribute['disable_correlation']).toBe(true);
      for (const relation of Object.keys(relations))
        if (!multiple.includes(relation)) expect(found.filter((one) => one === relation).length).toBeLessThan(2);
      expect(found.some((relation) => oneOf.includes(relation))).toBe(true);
      if ('first_seen' in object) expect(String(object['first_seen']) <= String(object['last_seen'])).toBe(true);
    }
  });

  test('has every text as an object that refers to its sample', async () => {
    const event = await read();
    const texts = objects(event)
      .filter((object) => object['name'] === 'annotation')
      .flatMap((object) => things.parse(object['ObjectReference']).map((reference) => ({ object, reference })));
    const said = reported.samples
      .flatMap(({ note, comments }) => [note?.text ?? '', ...comments.map((comment) => comment.text)])
      .filter((one) => one.trim() !== '');
    expect(texts).toHaveLength(said.length);
    const files = objects(event)
      .filter((object) => object['name'] === 'file')
      .map((object) => object['uuid']);
    for (const { object, reference } of texts) {
      expectDemands(reference, mispReference);
      expect(reference['object_uuid']).toBe(object['uuid']);
      expect(files).toContain(reference['referenced_uuid']);
    }
  });

  test('names each object once, and is actionable only by hashes', async () => {
    const event = await read();
    const attributes = [...attributesOf(event), ...objects(event).flatMap(attributesOf)];
    const references = objects(event).flatMap((object) => things.parse(object['ObjectReference']));
    const uuids = [event, ...objects(event), ...attributes, ...references].map((thing) => thing['uuid']);
    expect(new Set(uuids).size).toBe(uuids.length);
    for (const attribute of attributes)
      expect(attribute['to_ids']).toBe(['md5', 'sha1', 'sha256', 'malware-sample'].includes(String(attribute['type'])));
  });

  test('is marked, and so is every hash', async () => {
    const event = await read();
    const tags = (thing: Thing): unknown[] =>
      things
        .parse(thing['Tag'] ?? [])
        .map(({ name }) => name)
        .filter((name) => String(name).startsWith('tlp:'));
    const wanted = reported.tlp === null ? [] : [`tlp:${reported.tlp}`];
    expect(tags(event)).toEqual(wanted);
    for (const tag of wanted) expect(tlpTags).toContain(tag);
    for (const attribute of objects(event).flatMap(attributesOf))
      expect(tags(attribute)).toEqual(attribute['to_ids'] === true ? wanted : []);
  });
});

const idsOf = (json: string): string[] =>
  [...json.matchAll(/"(?:id|uuid)":"([^"]{36,})"/g)]
    .map(([, id]) => id ?? '')
    .filter((id) => !id.startsWith('bundle--'));
const said = {
  note: { text: 'the same note', changed: '' },
  comments: [{ id: 'lab/1', author: 'ana', created: null, text: 'the same comment' }],
};

test.each(['misp', 'stix'] as const)('%s: a sample that gets further hashes keeps its identity', async (format) => {
  const sample = { ...otherSample(), ...said };
  const reported = { samples: [sample], title: 'one', author: 'a', tlp: null };
  const before = { ...reported, samples: [{ ...sample, hash: sample.md5 ?? '', sha256: null, sha1: null }] };
  const later = { ...storyOf(reported), head: { ...storyOf(reported).head, made: new Date('2027-01-01T00:00:00Z') } };
  const ids = idsOf(await textOf(format, later));
  const known = idsOf(await textOf(format, storyOf(before)));
  const attributesOfHashes = ids.filter((id) => !known.includes(id));
  expect(attributesOfHashes).toHaveLength(format === 'misp' ? 2 : 0);
  expect(ids.filter((id) => !attributesOfHashes.includes(id))).toEqual(known);
});

test.each(['misp', 'stix'] as const)(
  '%s: another case or computer shares only the observed objects with it',
  async (format) => {
    const reported = { samples: [{ ...otherSample(), ...said }], title: 'one', author: '', tlp: null };
    const story = storyOf(reported);
    const ids = idsOf(await textOf(format, story));
    for (const other of [
      { ...story, head: { ...story.head, title: 'two' } },
      { ...story, head: { ...story.head, author: 'a' } },
      { ...story, head: { ...story.head, computerId: 'another computer' } },
    ]) {
      const others = idsOf(await textOf(format, other));
      expect(ids.filter((id) => others.includes(id)).map((id) => id.replace(/--.*/, ''))).toEqual(
        format === 'stix' ? ['file'] : [],
      );
    }
  },
);

test.each(['misp', 'stix'] as const)(
  '%s: several rows with one MD5 and one name are several objects, each named once',
  async (format) => {
    const sample = { ...otherSample(), ...said };
    const md5Alone = { ...sample, hash: sample.md5 ?? '', sha256: null, sha1: null };
    const twin = { ...sample, hash: 'e'.repeat(64), sha256: 'e'.repeat(64), sha1: 'e'.repeat(40) };
    for (const samples of [
      [md5Alone, sample, twin],
      [sample, md5Alone, twin],
    ]) {
      const ids = [
        ...(await textOf(format, storyOf({ samples, title: 'one', author: 'a', tlp: null }))).matchAll(
          /"(?:id|uuid)":"([^"]{36,})"/g,
        ),
      ].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  },
);

test('an event keeps equal texts of two samples, but repeats no attribute outside of objects', async () => {
  const samples = [
    { ...otherSample(), ...said },
    { ...otherSample(), ...said },
  ];
  const event = z
    .object({
      Event: z.object({
        Attribute: z.array(z.object({ type: z.string(), category: z.string(), value: z.string() })),
        Object: z.array(z.object({ name: z.string() })),
      }),
    })
    .parse(JSON.parse(await textOf('misp', storyOf({ samples, title: 'one', author: '', tlp: null })))).Event;
  const triples = event.Attribute.map(({ type, category, value }) => JSON.stringify([type, category, value]));
  expect(new Set(triples).size).toBe(triples.length);
  expect(event.Object.map(({ name }) => name)).toEqual([
    'file',
    'annotation',
    'annotation',
    'file',
    'annotation',
    'annotation',
  ]);
});

test('an object keeps its creation time, whatever becomes known of the sample', async () => {
  const createdOf = async (sample: CaseSample): Promise<unknown[]> =>
    things
      .parse(
        anything.parse(
          JSON.parse(await textOf('stix', storyOf({ samples: [sample], title: 'one', author: 'a', tlp: null }))),
        )['objects'],
      )
      .map(({ created }) => created);
  const sample = { ...otherSample(), ...said };
  expect(
    await createdOf({
      ...sample,
      firstSeen: '2020-01-01T00:00:00.000Z',
      comments: said.comments.map((comment) => ({ ...comment, created: '2021-01-01 00:00:00' })),
    }),
  ).toEqual(await createdOf(sample));
});
