import { useMemo } from 'react';
import type { ListedRule, RuleSort } from '../../../../shared/domain/publication.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../state/row-windows.ts';

/** With what it answers: rows are numbered in their own package. */
export interface RuleWindow extends RowWindow<ListedRule> {
  sha256: string;
  find: string;
  /** The most frequent ones of the package. */
  metaKeys: readonly string[];
}
export type RuleWindows = RowWindows<RuleWindow>;

export interface RuleListQuestion {
  find: string;
  sort: RuleSort;
  /** Keys of meta. The same array as long as it does not change. */
  columns: string[];
}

/** The rules of the active package in sight that a search finds. */
export function useRuleWindows(workspaceId: string, { find, sort, columns }: RuleListQuestion): RuleWindows {
  const bridge = useBridge();
  const source = useMemo(
    (): RowSource<RuleWindow> => ({
      name: 'publications.rules',
      question: { workspaceId, find, sort, columns },
      read: async (offset, limit) => {
        const answer = await bridge.call('publications.rules', { workspaceId, find, sort, columns, offset, limit });
        return answer.ok ? success({ ...answer.value, find }) : answer;
      },
    }),
    [bridge, workspaceId, find, sort, columns],
  );
  return useRowWindows(source);
}
