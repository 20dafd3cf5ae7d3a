import { closedTlpLevels } from '../../shared/domain/tlp.ts';

/** As the partial indexes of `upload_file` have them: SQLite takes an index only for the very same words. */
export const inDraft = 'job_id IS NULL';
export const hasBytes = "state IN ('ready', 'same')";

/** `isSendable` of the upload domain, for a row. */
export const isSendableRow = "is_ticked = 1 AND state = 'ready' AND presence <> 'there'";

/** Its TLP forbids third parties. */
export const isClosedRow = `tlp IN (${closedTlpLevels.map((level) => `'${level}'`).join(', ')})`;

/** Rows of the draft of a workspace, in their order. */
export const draftInOrder = `FROM upload_file INDEXED BY upload_file_by_place WHERE workspace_id = ?1 AND ${inDraft}`;
export const draftOrder = 'ORDER BY group_id, id';
