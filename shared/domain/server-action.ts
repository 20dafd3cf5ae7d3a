import { z } from 'zod';
import { failureSchema, type ServiceName, serviceName } from '../failure-kinds.ts';

/**
 * Every action of each service that is called, in the order in which they are shown (docs/services.md, "Releases").
 * Those of `optionalActions` are in no interface description: they are used only where a server was seen to answer
 * them, and only if the workspace allows it.
 */
export const actionsOf = {
  repository: [
    'getfile',
    'downloadfile',
    'bulkdownload',
    'uploadfiles',
    'addcomment',
    'getfiles',
    'searchfiles',
    'updatefile',
    'gettagsdata',
  ],
  'rule-editor': ['checkpackageversion', 'downloadpublication', 'scanfile', 'exportfile'],
} as const satisfies Record<ServiceName, readonly string[]>;

export const serverAction = z.enum([...actionsOf.repository, ...actionsOf['rule-editor']]);
export type ServerAction = z.infer<typeof serverAction>;

export const optionalActions: ReadonlySet<ServerAction> = new Set<ServerAction>([
  'getfiles',
  'searchfiles',
  'updatefile',
  'gettagsdata',
  'exportfile',
]);

/** Actions that are of no use without another: a record is read before and after it is changed. */
const neededBy: Readonly<Partial<Record<ServerAction, ServerAction>>> = { updatefile: 'getfile' };

/** What is known of an action: the server answered it, or said that it has none of that name. */
export const actionState = z.object({
  service: serviceName,
  action: serverAction,
  state: z.enum(['answers', 'absent', 'unknown']),
  /** When that was seen, UTC, ISO 8601; null for `unknown`. */
  seen: z.string().nullable(),
});
export type ActionState = z.infer<typeof actionState>;

/** `mayUse`: whether the workspace allows optional actions. */
export const workspaceActions = z.object({ mayUse: z.boolean(), actions: z.array(actionState) });
export type WorkspaceActions = z.infer<typeof workspaceActions>;

/** Whether an action is known to be missing: what is not known is tried. */
export const isAbsent = ({ actions }: WorkspaceActions, action: ServerAction): boolean =>
  actions.some((one) => one.action === action && one.state === 'absent');

/** Whether an action may be used: an optional one only where it was seen to work and is allowed. */
export const isUsable = (known: WorkspaceActions, action: ServerAction): boolean => {
  const needed = neededBy[action];
  if (needed !== undefined && isAbsent(known, needed)) return false;
  const { mayUse, actions } = known;
  const state = actions.find((one) => one.action === action)?.state ?? 'unknown';
  return optionalActions.has(action) ? mayUse && state === 'answers' : state !== 'absent';
};

export const connectionTest = z.object({
  service: serviceName,
  reachable: z.boolean(),
  /** null: not reached, or plain http. */
  trusted: z.boolean().nullable(),
  tokenAccepted: z.boolean().nullable(),
  failure: failureSchema.nullable(),
  /** Which actions it has, as far as its answers show that; none unless the token was accepted. */
  actions: z.array(z.object({ action: serverAction, answers: z.boolean() })),
});
export type ConnectionTest = z.infer<typeof connectionTest>;

/** What a test found of the actions of a server, as they are shown: each in one of the lists. */
export interface FoundActions {
  usable: ServerAction[];
  /** The server has them, and the workspace does not allow actions beyond the documented ones. */
  turnedOff: ServerAction[];
  /** The server does not have them, or something that they need. */
  missing: ServerAction[];
}

/** `mayUse`: whether the workspace allows optional actions. */
export function foundActions(actions: ConnectionTest['actions'], mayUse: boolean): FoundActions {
  const has = (action: ServerAction): boolean => actions.some((one) => one.action === action && one.answers);
  const lacks = (action: ServerAction): boolean => actions.some((one) => one.action === action && !one.answers);
  const found: FoundActions = { usable: [], turnedOff: [], missing: [] };
  for (const { action } of actions) {
    const needed = neededBy[action];
    if (!has(action) || (needed !== undefined && lacks(needed))) found.missing.push(action);
    else if (optionalActions.has(action) && !mayUse) found.turnedOff.push(action);
    else found.usable.push(action);
  }
  return found;
}
