import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tlpLevels } from '../../../shared/domain/tlp.ts';
import type { CaseSample } from './case-sample.ts';
import { goldenCases, otherSample, storyOf, textOf } from './case.fixture.ts';
import { stixFile } from './stix-file.ts';
import { uuidV5 } from './uuid-v5.ts';

/**
 * What the specifications demand of each thing, property by property, written from them and not from the code: MISP
 * core format (draft-dulaunoy-misp-core-format), misp-objects (templates "file" and "annotation", of June 2026), the
 * taxonomy "tlp" (version 10), STIX 2.1 (OASIS standard), and the TLP 2.0 extension.
 */

const anything = z.record(z.string(), z.unknown());
type Thing = z.infer<typeof anything>;
const things = z.array(anything);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unsigned = /^\d+$/;
const text = /^[^]+$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const base64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;
type Demand = RegExp | 'boolean' | 'array' | 'number' | 'object' | readonly string[];

function expectDemands(thing: Thing, demands: Readonly<Record<string, Demand>>): void {
  for (const [property, demand] of Object.entries(demands)) {
    const value = thing[property];
    const where = JSON.stringify([thing['type'], thing['name'], property]);
    if (demand instanceof RegExp) expect(value, where).toEqual(expect.stringMatching(demand));
    else if (demand === 'array') expect(Array.isArray(value), where).toBe(true);
    else if (typeof demand === 'string') expect(typeof value, where).toBe(demand);
    else expect(demand, where).toContain(value);
  }
}

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

describe.each(Object.entries(goldenCases))('the event of %s', (_name, told) => {
  const read = async (): Promise<Thing> =>
    z.object({ Event: anything }).parse(JSON.parse(await textOf('misp', storyOf(told)))).Event;
  const objects = (event: Thing): Thing[] => things.parse(event['Object']);
  const attributesOf = (thing: Thing): Thing[] => things.parse(thing['Attribute']);

  test('has what the core format demands', async () => {
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

  test('has objects as their templates demand, one for each sample, and one for its author', async () => {
    const event = await read();
    const named = (name: string): Thing[] => objects(event).filter((object) => object['name'] === name);
    expect(named('file')).toHaveLength(told.samples.length);
    const types = named('annotation')
      .flatMap(attributesOf)
      .filter((attribute) => attribute['object_relation'] === 'type')
      .map(({ value }) => value);
    expect(types.filter((type) => type === 'Authors')).toHaveLength(told.author === '' ? 0 : 1);
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

  test('has every text as an object that refers to the sample it is about', async () => {
    const event = await read();
    const texts = objects(event)
      .filter((object) => object['name'] === 'annotation')
      .flatMap((object) => things.parse(object['ObjectReference']).map((reference) => ({ object, reference })));
    const said = told.samples
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

  test('names each thing once, and is actionable by hashes alone', async () => {
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
    const wanted = told.tlp === null ? [] : [`tlp:${told.tlp}`];
    expect(tags(event)).toEqual(wanted);
    for (const tag of wanted) expect(tlpTags).toContain(tag);
    for (const attribute of objects(event).flatMap(attributesOf))
      expect(tags(attribute)).toEqual(attribute['to_ids'] === true ? wanted : []);
  });
});

const common = { spec_version: ['2.1'], created: timestamp, modified: timestamp } as const;
const idOf = (type: string): RegExp => new RegExp(`^${type}--${uuid.source.slice(1, -1)}$`);
const stix: Readonly<Record<string, Readonly<Record<string, Demand>>>> = {
  identity: { ...common, id: idOf('identity'), name: text },
  file: { spec_version: ['2.1'], id: idOf('file'), hashes: 'object' },
  indicator: {
    ...common,
    id: idOf('indicator'),
    pattern: /^\[file:hashes\.'(?:MD5|SHA-1|SHA-256)' = '[0-9a-f]+'\]$/,
    pattern_type: ['stix'],
    valid_from: timestamp,
    indicator_types: 'array',
  },
  malware: { ...common, id: idOf('malware'), is_family: 'boolean', name: text, sample_refs: 'array' },
  relationship: {
    ...common,
    id: idOf('relationship'),
    relationship_type: ['indicates'],
    source_ref: idOf('indicator'),
    target_ref: idOf('malware'),
  },
  note: { ...common, id: idOf('note'), content: text, object_refs: 'array' },
  report: {
    ...common,
    id: idOf('report'),
    name: text,
    published: timestamp,
    object_refs: 'array',
    report_types: 'array',
  },
  'marking-definition': { spec_version: ['2.1'], id: idOf('marking-definition'), created: timestamp, name: /^TLP:/ },
};
const optional: Readonly<Record<string, Demand>> = {
  size: 'number',
  mime_type: /^[\w.+-]+\/[\w.+-]+$/,
  created_by_ref: idOf('identity'),
  labels: 'array',
  authors: 'array',
};
const published: Readonly<Record<string, string>> = {
  clear: '94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: '55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': '939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'e828b379-4e03-4974-9ac4-e53a884c97c1',
};

describe.each(Object.entries(goldenCases))('the bundle of %s', (_name, told) => {
  const read = async (): Promise<Thing[]> => {
    const bundle = anything.parse(JSON.parse(await textOf('stix', storyOf(told))));
    expectDemands(bundle, { type: ['bundle'], id: idOf('bundle') });
    expect(Object.keys(bundle)).toEqual(['type', 'id', 'objects']);
    return things.parse(bundle['objects']);
  };

  test('has of each object what the standard demands', async () => {
    for (const object of await read()) {
      const demands = stix[String(object['type'])] ?? expect.fail(`an object of type ${String(object['type'])}`);
      expectDemands(object, demands);
      expectDemands(object, Object.fromEntries(Object.entries(optional).filter(([property]) => property in object)));
      if ('modified' in object) expect(String(object['modified']) >= String(object['created'])).toBe(true);
      for (const value of Object.values(object)) if (Array.isArray(value)) expect(value).not.toHaveLength(0);
    }
  });

  test('names each object once, and points to none that is not in it', async () => {
    const objects = await read();
    const ids = new Set(objects.map(({ id }) => id));
    expect(ids.size).toBe(objects.length);
    const refs = objects.flatMap((object) =>
      Object.entries(object).flatMap(([property, value]) =>
        property.endsWith('_refs') ? z.array(z.unknown()).parse(value) : property.endsWith('_ref') ? [value] : [],
      ),
    );
    for (const ref of refs) expect(ids).toContain(ref);
    const report = objects.find(({ type }) => type === 'report') ?? expect.fail('no report');
    expect(report['object_refs']).toEqual(
      objects
        .filter(({ type }) => !['marking-definition', 'identity', 'report'].includes(String(type)))
        .map(({ id }) => id),
    );
  });

  test('is marked object by object, but for its author, with the definition that was published', async () => {
    const objects = await read();
    const wanted = told.tlp === null ? undefined : [`marking-definition--${published[told.tlp] ?? ''}`];
    for (const object of objects)
      expect(object['object_marking_refs']).toEqual(
        ['marking-definition', 'identity'].includes(String(object['type'])) ? undefined : wanted,
      );
    if (told.tlp === null) return;
    expect(objects[0]).toEqual({
      type: 'marking-definition',
      spec_version: '2.1',
      id: wanted?.[0],
      created: '2022-10-01T00:00:00.000Z',
      name: `TLP:${told.tlp.toUpperCase()}`,
      extensions: {
        'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d': {
          extension_type: 'property-extension',
          tlp_2_0: told.tlp,
        },
      },
    });
  });
});

test('every TLP was marked with', () => {
  expect(new Set(Object.values(goldenCases).map(({ tlp }) => tlp))).toEqual(new Set([...tlpLevels, null]));
});

test('an observable is named by the rule of the standard: one hash, the name, canonical JSON', () => {
  // Worked out beside the program, with Python's uuid.uuid5
  const file = {
    ...otherSample(),
    md5: null,
    sha1: null,
    sha256: 'fe90a7e910cb3a4739bed9180e807e93fa70c90f25a8915476f5e4bfbac681db',
    name: 'foo.exe',
  };
  expect(stixFile(file, new Set()).id).toBe('file--741019a6-c339-5e5d-ad1e-6fa3dec47bb4');
  expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
});

test('two samples with one MD5 and one name are two observables', () => {
  const taken = new Set<string>();
  const one = otherSample();
  expect(stixFile(one, taken).id).not.toBe(
    stixFile({ ...one, sha256: 'c'.repeat(64), sha1: 'c'.repeat(40) }, taken).id,
  );
});

const idsOf = (json: string): string[] =>
  [...json.matchAll(/"(?:id|uuid)":"([^"]{36,})"/g)]
    .map(([, id]) => id ?? '')
    .filter((id) => !id.startsWith('bundle--'));
const said = {
  note: { text: 'the same note', changed: '' },
  comments: [{ id: 'lab/1', author: 'ana', created: null, text: 'the same comment' }],
};

test.each(['misp', 'stix'] as const)(
  '%s: a sample whose further hashes become known is the same thing',
  async (format) => {
    const sample = { ...otherSample(), ...said };
    const told = { samples: [sample], title: 'one', author: 'a', tlp: null };
    const before = { ...told, samples: [{ ...sample, hash: sample.md5 ?? '', sha256: null, sha1: null }] };
    const later = { ...storyOf(told), head: { ...storyOf(told).head, made: new Date('2027-01-01T00:00:00Z') } };
    const ids = idsOf(await textOf(format, later));
    const known = idsOf(await textOf(format, storyOf(before)));
    const attributesOfHashes = ids.filter((id) => !known.includes(id));
    expect(attributesOfHashes).toHaveLength(format === 'misp' ? 2 : 0);
    expect(ids.filter((id) => !attributesOfHashes.includes(id))).toEqual(known);
  },
);

test.each(['misp', 'stix'] as const)(
  '%s: neither another case nor another desk has anything of it but what is observed',
  async (format) => {
    const told = { samples: [{ ...otherSample(), ...said }], title: 'one', author: '', tlp: null };
    const story = storyOf(told);
    const ids = idsOf(await textOf(format, story));
    for (const other of [
      { ...story, head: { ...story.head, title: 'two' } },
      { ...story, head: { ...story.head, author: 'a' } },
      { ...story, head: { ...story.head, desk: 'another desk' } },
    ]) {
      const others = idsOf(await textOf(format, other));
      expect(ids.filter((id) => others.includes(id)).map((id) => id.replace(/--.*/, ''))).toEqual(
        format === 'stix' ? ['file'] : [],
      );
    }
  },
);

test.each(['misp', 'stix'] as const)(
  '%s: several rows with one MD5 and one name are several things, each named once',
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

test('what is created is never created again at another time, whatever becomes known of the sample', async () => {
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
