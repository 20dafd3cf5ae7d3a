import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BadEnd, findGuilty, programOf, type RulePiece, type RuleProgram } from './rule-program.ts';

const piece = (name: string, marks: Partial<RulePiece> = {}): RulePiece => ({
  name,
  text: `rule ${name}`,
  uses: [],
  isGlobal: false,
  isPrivate: false,
  ...marks,
});
const programWith = (rules: RulePiece[]): RuleProgram => programOf({ imports: [], rules }, null);
const hasOf = (program: RuleProgram): Set<string> => new Set(program.pieces.rules.map(({ name }) => name));
/** An engine that ends badly where it has the rule. */
const badWith =
  (rule: string, end: BadEnd = 'slow') =>
  async (program: RuleProgram): Promise<BadEnd> =>
    hasOf(program).has(rule) ? end : null;

test('the search for a slow rule finds it in few steps, wherever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(), async (count, which, global) => {
      const rules = Array.from({ length: count }, (_, index) =>
        piece(`r${index}`, {
          isGlobal: index === global % count,
          uses: index > 0 && index % 3 === 0 ? [`r${index - 1}`] : [],
        }),
      );
      const guilty = `r${which % count}`;
      let steps = 0;
      const found = await findGuilty(programWith(rules), async (program) => {
        steps += 1;
        return badWith(guilty, 'died')(program);
      });
      expect(found).toEqual({ rule: guilty, end: 'died' });
      expect(steps).toBeLessThanOrEqual(10);
    }),
  );
});

test('the search for a slow rule blames no rules that are slow only together', async () => {
  const together = async (program: RuleProgram): Promise<BadEnd> => (hasOf(program).size > 5 ? 'slow' : null);
  expect(
    await findGuilty(programWith(Array.from({ length: 20 }, (_, index) => piece(`r${index}`))), together),
  ).toBeNull();
});

test('the search for a slow rule blames a file with which nothing ends', async () => {
  expect(await findGuilty(programWith([piece('a')]), async () => 'slow')).toBeNull();
});

test('the search for a slow rule blames no rule that ends when given a file’s whole time', async () => {
  expect(
    await findGuilty(programWith([piece('a'), piece('b')]), async (program, isPatient) =>
      isPatient || !hasOf(program).has('b') ? null : 'slow',
    ),
  ).toBeNull();
});
