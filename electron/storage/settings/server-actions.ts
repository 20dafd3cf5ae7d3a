import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { actionsOf, type ActionState, serverAction, type ServerAction } from '../../../shared/domain/server-action.ts';
import { type ServiceName, serviceName } from '../../../shared/failure-kinds.ts';
import type { Database } from '../database/database.ts';

const storedRow = z.object({
  service: serviceName,
  action: serverAction,
  baseUrl: z.string(),
  answers: z.number(),
  seen: z.string(),
});

/** A service of a workspace: what was seen of another address does not count. */
export interface ServicePlace {
  workspaceId: string;
  service: ServiceName;
  baseUrl: string;
}

/** What was seen again is written down again after this time, and not with every answer. */
const writtenAgainAfterMs = 60 * 60 * 1000;

/** Which actions the servers of workspaces were seen to have. */
export class ServerActionStore {
  readonly #all;
  readonly #put;
  /** What was written last, by workspace, service and action. */
  readonly #known = new Map<string, { baseUrl: string; answers: boolean; at: number }>();

  constructor(db: Database) {
    this.#all = db.query(
      storedRow,
      'SELECT service, action, base_url AS baseUrl, answers, seen FROM server_action WHERE workspace_id = ?',
    );
    this.#put = db.command(
      `INSERT INTO server_action (workspace_id, service, action, base_url, answers, seen) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET base_url = excluded.base_url, answers = excluded.answers, seen = excluded.seen`,
    );
  }

  /** Each action of a service in its order; `unknown` of those that nothing was seen of at this address. */
  of({ workspaceId, service, baseUrl }: ServicePlace): ActionState[] {
    const rows = this.#all.all(workspaceId).filter((row) => row.service === service && row.baseUrl === baseUrl);
    return actionsOf[service].map((action) => {
      const row = rows.find((one) => one.action === action);
      if (!row) return { service, action, state: 'unknown', seen: null };
      return { service, action, state: row.answers === 1 ? 'answers' : 'absent', seen: row.seen };
    });
  }

  /** @returns whether another state is known now */
  note({ workspaceId, service, baseUrl }: ServicePlace, action: ServerAction, answers: boolean): boolean {
    const key = [workspaceId, service, action].join(' ');
    const known = this.#known.get(key);
    const now = Date.now();
    if (known?.baseUrl === baseUrl && known.answers === answers && now - known.at < writtenAgainAfterMs) return false;
    const before = this.of({ workspaceId, service, baseUrl }).find((one) => one.action === action)?.state;
    this.#put.run(workspaceId, service, action, baseUrl, Number(answers), currentInstant());
    this.#known.set(key, { baseUrl, answers, at: now });
    return before !== (answers ? 'answers' : 'absent');
  }
}
