import { z } from 'zod';
import { md5 } from '../domain/hash.ts';
import { sampleRecord } from '../domain/sample.ts';
import { workspaceActions } from '../domain/server-action.ts';
import {
  foundPage,
  foundSample,
  querySearch,
  recordChange,
  recordPart,
  replaceableParts,
  serverSearch,
} from '../domain/server-record.ts';
import { workspaceId } from '../domain/workspace.ts';
import { operation } from './operation.ts';

/** What the servers of a workspace can do, and what is done with actions that not every server has. */
export const serversOperations = {
  /** What is known by now. Asks no service. */
  'servers.actions': operation({
    input: z.object({ workspaceId }),
    output: workspaceActions,
    reads: true,
    refreshedBy: { 'servers.changed': ['workspaceId'], 'workspaces.changed': [] },
  }),
  /** Asks each service of a workspace which actions it has, and changes nothing. Fails with why none could be asked. */
  'servers.findActions': operation({
    input: z.object({ workspaceId }),
    output: workspaceActions,
    asksAService: true,
  }),
  /**
   * One page of what the repository finds, and whether there may be another. Fails with `action-not-used` where the
   * search is switched off or was not seen to work, `needs-md5` where the server ignores a SHA-256.
   */
  'servers.search': operation({
    input: z.object({ workspaceId, search: serverSearch }),
    output: z.object({ found: z.array(foundSample), mayBeMore: z.boolean() }),
    asksAService: true,
  }),
  /**
   * One page of what the repository finds by a query of the library's language. Fails with `action-not-used` where that
   * is switched off or was not seen to work, `bad-input` for a query that cannot be read and for an `after` of another
   * search or repository, `request-refused` with the reason of the repository.
   */
  'servers.searchByQuery': operation({
    input: z.object({ workspaceId, search: querySearch }),
    output: foundPage,
    asksAService: true,
  }),
  /** Tags in use at the repository, most used first, at most 2,000; none where it is not asked for them. */
  'servers.tags': operation({
    input: z.object({ workspaceId }),
    output: z.object({ tags: z.array(z.string()) }),
    reads: true,
    asksAService: true,
    refreshedBy: { 'servers.changed': ['workspaceId'] },
  }),
  /**
   * Replaces parts of a sample's record, and reads it again. `basedOn` is what the record was when the change was
   * reviewed. `altered`: the parts that do not read as they were sent. Fails with `record-changed` where the record is
   * another one by now, `action-not-used`, `record-list-cut` where the server may have shown only some of the tags.
   */
  'servers.changeRecord': operation({
    input: z.object({ workspaceId, md5, change: recordChange, basedOn: replaceableParts }),
    output: z.object({ record: sampleRecord, altered: z.array(recordPart) }),
    asksAService: true,
  }),
} as const;
