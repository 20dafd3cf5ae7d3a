import { type JournalFilter, journalOperation } from '../../shared/domain/journal.ts';
import { lowerLetters } from '../../shared/domain/visible-text.ts';
import type { Parameters } from './named-rows.ts';

export interface JournalCondition {
  /** A condition on a row of `journal`. */
  text: string;
  parameters: Parameters;
}

/**
 * Held against rows as they are stored. Whoever made an operation into one that is none does not hide its row from a
 * search for operations.
 */
export function conditionOf({ operations, workspaceId, find, from, before }: JournalFilter): JournalCondition {
  const part = lowerLetters(find.trim());
  const texts = [
    ...(operations.length > 0
      ? [
          `(operation IN (SELECT value FROM json_each(:operations))
            OR operation NOT IN (SELECT value FROM json_each(:known)))`,
        ]
      : []),
    ...(workspaceId === null ? [] : ['workspace_id = :workspace']),
    ...(part === ''
      ? []
      : [
          `(instr(ifnull(hash, ''), :find) > 0 OR instr(lower(outcome), :find) > 0
            OR instr(replace(lower(outcome), '-', ' '), :find) > 0 OR instr(lower(detail), :written) > 0)`,
        ]),
    ...(from === null ? [] : ['time >= :from']),
    ...(before === null ? [] : ['time < :before']),
  ];
  return {
    text: texts.join(' AND ') || 'TRUE',
    parameters: {
      operations: JSON.stringify(operations),
      known: JSON.stringify(journalOperation.options),
      workspace: workspaceId,
      find: part,
      // As JSON writes it inside of a text.
      written: JSON.stringify(part).slice(1, -1),
      from: from && stored(from),
      before: before && stored(before),
    },
  };
}

/** With milliseconds, as rows have it: they are compared as texts. */
const stored = (time: string): string => new Date(time).toISOString();
