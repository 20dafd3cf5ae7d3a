import type { Database } from './database.ts';

/** Forgets a workspace's rule packages, what it does about them and its mutes. Runs inside the caller's transaction. */
export function forgetRulesOf(db: Database, workspaceId: string): void {
  for (const table of ['rule_package', 'rule_state', 'mute'])
    db.command(`DELETE FROM ${table} WHERE workspace_id = ?`).run(workspaceId);
}
