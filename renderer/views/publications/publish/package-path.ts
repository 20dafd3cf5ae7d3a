import { isRuleFileName } from '../../../../shared/domain/rule-names.ts';
import type { FoundFile } from '../../../features/uploads/dropped-files.ts';

export const mostFiles = 1000;
const longestPath = 300;

/** Where a file lies in the package: in its folders below the one that was added. null: it is none for a package. */
export function packagePath({ name, path }: Pick<FoundFile, 'name' | 'path'>): string | null {
  const folders = path.split('/').slice(1);
  const inside = [...folders, name].join('/');
  return isRuleFileName(name) && inside.length <= longestPath ? inside : null;
}
