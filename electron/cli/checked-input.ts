import type { z } from 'zod';
import { inputWords } from '../../shared/input-words.ts';
import { wrongUsage } from './usage-error.ts';

/**
 * Refuses what an operation would refuse, before anything is begun. `names`: the option or argument for each path in the
 * value, `repository.baseUrl`, or the beginning of one; "" is for all others.
 * @throws UsageError that names it
 */
export function checkInput(schema: z.ZodType, value: unknown, names: Readonly<Record<string, string>>): void {
  const [issue] = schema.safeParse(value, { error: inputWords }).error?.issues ?? [];
  if (issue === undefined) return;
  const path = issue.path.map(String);
  const beginnings = path.map((_, at) => path.slice(0, path.length - at).join('.'));
  const known = [...beginnings, ''].find((beginning) => Object.hasOwn(names, beginning)) ?? '';
  wrongUsage(`${names[known] ?? 'an argument'}: expected ${issue.message}`);
}
