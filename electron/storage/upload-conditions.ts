import { forbidsThirdParties, tlpLevels } from '../../shared/domain/tag.ts';

/** As the partial indexes of `upload_file` have them: SQLite takes an index only for the very same words. */
export const inDraft = 'job_id IS NULL';
export const hasBytes = "state IN ('ready', 'same')";

/**
 * The bits of the column `traits`. `sendable`: ticked, with hashes, and not known to be there, which is what sending
 * takes; the flags and `closed` (its TLP forbids third parties) are of sendable files only. `busy`: ticked, and being
 * hashed, opened or, since it may be an archive, not looked at yet.
 */
export const uploadTraits = {
  ticked: 1,
  sendable: 2,
  there: 4,
  busy: 8,
  unasked: 16,
  unanswered: 32,
  virusTotal: 64,
  sandbox: 128,
  closed: 256,
  held: 512,
} as const;

export const hasTrait = (trait: keyof typeof uploadTraits): string => `traits & ${uploadTraits[trait]}`;

/** Rows of the draft of a workspace, in their order. */
export const draftInOrder = `FROM upload_file INDEXED BY upload_file_by_place WHERE workspace_id = ?1 AND ${inDraft}`;
export const draftOrder = 'ORDER BY group_id, id';

const openLevels = tlpLevels.filter((level) => !forbidsThirdParties(level)).map((level) => `'${level}'`);

/** Of a TLP that cannot be read, too: nobody knows that it does not forbid third parties. */
export const isClosed = (tlp: string): string => `ifnull(${tlp} NOT IN (${openLevels.join(', ')}), 0)`;

/**
 * The stricter the higher: 0 without a TLP, and over all others where it cannot be read, so that nothing is put in its
 * place.
 */
export const strictness = (tlp: string): string =>
  `CASE WHEN ${tlp} IS NULL
    THEN 0 ${tlpLevels.map((level, index) => `WHEN ${tlp} = '${level}' THEN ${index + 1}`).join(' ')} ELSE 9 END`;
