import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { RuleLayouts } from './layouts.ts';

const slowest = {
  sort: { by: { column: 'cost' as const }, direction: 'descending' as const },
  columns: ['hits', 'cost', 'meta.score'],
};

test('a later page restores the columns and the order of rules for each workspace', async () => {
  await new RuleLayouts('rules-1').keep('lab', slowest);
  const later = new RuleLayouts('rules-1');
  expect([await later.read('lab'), await later.read('team')]).toEqual([slowest, null]);
});

test('a layout stored by another program is ignored when it is unreadable', async () => {
  const database = new Dexie('rules-2');
  database.version(1).stores({ layouts: 'workspaceId' });
  await database.table('layouts').put({ workspaceId: 'lab', layout: { sort: 'best', columns: 7 } });
  database.close();
  expect(await new RuleLayouts('rules-2').read('lab')).toBeNull();
});
