import { useMemo } from 'react';
import type { RuleRow } from '../../../../shared/domain/publication.ts';
import { success } from '../../../../shared/failure.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../app/use-row-windows.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';

/** With what it answers: rows are numbered in their own package. */
export interface RuleWindow extends RowWindow<RuleRow> {
  sha256: string;
  find: string;
}
export type RuleWindows = RowWindows<RuleWindow>;

/** The rules of the active package in sight that hold the words of `find`. */
export function useRuleWindows(workspaceId: string, find: string): RuleWindows {
  const bridge = useBridge();
  const source = useMemo((): RowSource<RuleWindow> => ({
    name: 'publications.rules',
    question: { workspaceId, find },
    read: async (offset, limit) => {
      const answer = await bridge.call('publications.rules', { workspaceId, find, offset, limit });
      return answer.ok ? success({ ...answer.value, find }) : answer;
    },
  }), [bridge, workspaceId, find]);
  return useRowWindows(source);
}
