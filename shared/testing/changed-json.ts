import fc from 'fast-check';
import type { Json } from '../domain/sample.ts';
import { assertNever } from '../assert-never.ts';
import { anyUnit } from './any-unit.ts';

const oddities: readonly Json[] = [
  null,
  true,
  false,
  '',
  0,
  -1,
  1,
  '0',
  '1',
  ' 12 ',
  1.5,
  1e20,
  2 ** 53,
  -0,
  [],
  {},
  [[]],
  [{}],
  [null],
  '\ud800',
  '\0',
  '__proto__',
  '0x10',
  'NaN',
];

/** JSON whose members have names that a reader knows, to any depth that it looks at. */
export function jsonOfNames(names: readonly string[], values: readonly Json[] = []): fc.Arbitrary<Json> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '', '0') },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  );
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(...oddities, ...values),
      fc.oneof(fc.string({ unit: anyUnit, maxLength: 12 }), fc.double(), fc.integer()),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map(objectOf),
    ),
  })).value;
}

/** As a parser makes it: a member called `__proto__` is one like others. */
function objectOf(members: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(members);
}

/** A value taken somewhere out of JSON and another put in its place. */
export function changedJson(
  from: readonly Json[],
  names: readonly string[],
  values: readonly Json[] = [],
): fc.Arbitrary<Json> {
  const edit = fc.tuple(
    fc.array(fc.nat({ max: 50 }), { maxLength: 6 }),
    fc.oneof(fc.constantFrom(...oddities, ...values), jsonOfNames(names, values)),
    fc.constantFrom<Change>('replace', 'remove', 'wrap', 'rename', 'repeat'),
    fc.constantFrom(...names),
  );
  return fc
    .tuple(fc.constantFrom(...from), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([json, edits]) =>
      edits.reduce((changed, [path, value, change, name]) => changedAt(changed, path, { value, change, name }), json),
    );
}

type Change = 'replace' | 'remove' | 'wrap' | 'rename' | 'repeat';
interface Step {
  value: Json;
  change: Change;
  name: string;
}

function changedAt(json: Json, path: readonly number[], step: Step): Json {
  const [turn, ...rest] = path;
  const isLeaf = typeof json !== 'object' || json === null || Object.keys(json).length === 0;
  if (turn === undefined || isLeaf) return step.change === 'wrap' ? { [step.name]: json } : step.value;
  const members = Object.entries(json);
  const at = turn % members.length;
  const changed = members.flatMap(([name, value], index) =>
    index === at ? changedMember(name, value, rest, step) : [[name, value] as const],
  );
  return Array.isArray(json) ? changed.map(([, value]) => value) : Object.fromEntries(changed);
}

function changedMember(name: string, value: Json, rest: readonly number[], step: Step): (readonly [string, Json])[] {
  if (rest.length > 0) return [[name, changedAt(value, rest, step)]];
  switch (step.change) {
    case 'remove':
      return [];
    case 'rename':
      return [[step.name, value]];
    case 'repeat':
      return [
        [name, value],
        [step.name, value],
      ];
    case 'wrap':
      return [[name, [value]]];
    case 'replace':
      return [[name, step.value]];
    default:
      return assertNever(step.change);
  }
}
