import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { anything, type Demand, expectDemands, text, type Thing, things, uuid } from './case-demands.fixture.ts';
import { goldenCases, otherSample, storyOf, textOf } from './case.fixture.ts';
import { stixFile } from './stix-bundle.ts';
import { uuidV5 } from './uuid-v5.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

describe.each(Object.entries(goldenCases))('the bundle of %s', (_name, reported) => {
  const read = async (): Promise<Thing[]> => {
    const bundle = anything.parse(JSON.parse(await textOf('stix', storyOf(reported))));
    expectDemands(bundle, { type: ['bundle'], id: idOf('bundle') });
    expect(Object.keys(bundle)).toEqual(['type', 'id', 'objects']);
    return things.parse(bundle['objects']);
  };

  test('has the fields of each object that the standard requires', async () => {
    for (const object of await read()) {
      const demands = stix[String(object['type'])] ?? expect.fail(`an object of type ${String(object['type'])}`);
      expectDemands(object, demands);
      expectDemands(object, Object.fromEntries(Object.entries(optional).filter(([property]) => property in object)));
      if ('modified' in object) expect(String(object['modified']) >= String(object['created'])).toBe(true);
      for (const value of Object.values(object)) if (Array.isArray(value)) expect(value).not.toHaveLength(0);
    }
  });

  test('names each object once, and refers to none outside it', async () => {
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

  test('is marked object by object, except its author, with the published definition', async () => {
    const objects = await read();
    const wanted = reported.tlp === null ? undefined : [`marking-definition--${published[reported.tlp] ?? ''}`];
    for (const object of objects)
      expect(object['object_marking_refs']).toEqual(
        ['marking-definition', 'identity'].includes(String(object['type'])) ? undefined : wanted,
      );
    if (reported.tlp === null) return;
    expect(objects[0]).toEqual({
      type: 'marking-definition',
      spec_version: '2.1',
      id: wanted?.[0],
      created: '2022-10-01T00:00:00.000Z',
      name: `TLP:${reported.tlp.toUpperCase()}`,
      extensions: {
        'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d': {
          extension_type: 'property-extension',
          tlp_2_0: reported.tlp,
        },
      },
    });
  });
});

test('the test cases mark objects with every TLP', () => {
  expect(new Set(Object.values(goldenCases).map(({ tlp }) => tlp))).toEqual(new Set([...tlpLevels, null]));
});

test('an observable’s id follows the standard: one hash, the name, canonical JSON', () => {
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
