import { expect, test } from 'vitest';
import { z } from 'zod';
import { failureKinds, plainFailureFacts } from '../failure-kinds.ts';
import { plainFields } from './schema-parts.ts';
import { defaultSettings, settingSchemas } from './settings.ts';

const shape = {
  count: z.number(),
  isOn: z.boolean(),
  state: z.enum(['open', 'locked']),
  name: z.string(),
  maybe: z.enum(['a']).nullable(),
  list: z.array(z.number()),
  nested: z.object({ name: z.string() }),
};

test('plainFields keeps numbers, booleans and words of a fixed set, and drops every text, list and object', () => {
  expect(
    plainFields(shape, {
      count: 3,
      isOn: true,
      state: 'open',
      name: 'invoice.exe',
      maybe: null,
      list: [1],
      nested: { name: 'x' },
    }),
  ).toEqual({ count: 3, isOn: true, state: 'open', maybe: null });
});

test('plainFields drops a field that does not match its schema, and one that has no schema', () => {
  expect(plainFields(shape, { count: 'invoice.exe', isOn: 'invoice.exe', state: 'invoice.exe', other: 1 })).toEqual({});
});

test('plainFields drops the export password and the workspace of the settings', () => {
  expect(Object.keys(plainFields(settingSchemas, defaultSettings))).toEqual(
    Object.keys(defaultSettings).filter((name) => name !== 'exportPassword' && name !== 'currentWorkspace'),
  );
});

test('the plain facts of a failure of any kind hold no text outside a fixed set of words', () => {
  const all = Object.fromEntries(
    ['name', 'path', 'text', 'hash', 'address', 'reason', 'code', 'service', 'status', 'rule', 'file', 'target'].map(
      (name) => [name, 'invoice.exe'],
    ),
  );
  for (const kind of failureKinds) expect(plainFailureFacts(kind, all), kind).toEqual({});
});

test('the plain facts of a failure contain the details a maintainer needs', () => {
  expect(
    plainFailureFacts('unreachable', {
      service: 'repository',
      address: 'https://samples.example/api',
      reason: 'refused',
      code: 'ECONNREFUSED',
    }),
  ).toEqual({ service: 'repository', reason: 'refused' });
  expect(plainFailureFacts('data-newer', { path: '/home/me/data', found: 14, supported: 12 })).toEqual({
    found: 14,
    supported: 12,
  });
});
