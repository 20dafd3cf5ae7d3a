import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { defaultRepositoryOptions, type RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { EventHub } from '../../event-hub.ts';
import { listComments } from '../../storage/library/library-records.ts';
import { openStores, type Stores } from '../../storage/stores.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { connectTo, listenLocally } from '../testing/test-host.fixture.ts';
import { Comments } from './comments.ts';

export const team = 'team';
export const md5 = 'a'.repeat(32);

/** A comment as the service has it. */
export interface Listed {
  id: number;
  parent: number | null;
  content: string;
}

/** A repository with one sample, whose answers to comments a test decides. */
export interface CommentService {
  baseUrl: string;
  comments: Listed[];
  /** Bodies of comments that arrived whole, as fields. */
  received: URLSearchParams[];
  records: number;
  /** Without it, comments in the documented form are taken. */
  comment?(fields: URLSearchParams, response: ServerResponse, number: number): void | Promise<void>;
  /** Answers for the record itself, and then returns `true`. */
  record?(response: ServerResponse): boolean | Promise<boolean>;
  /** Takes a comment in. @returns its id */
  keep(content: string, parent?: string): number;
}

export async function startCommentService(): Promise<CommentService> {
  const service: CommentService = {
    baseUrl: '',
    comments: [],
    received: [],
    records: 0,
    keep: (content, parent = '') =>
      service.comments.push({
        id: service.comments.length + 1,
        parent: parent === '' ? null : Number(parent),
        content,
      }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      service.records += 1;
      if (await service.record?.(response)) return;
      response.end(JSON.stringify({ file: { md5, comments: service.comments } }));
      return;
    }
    const fields = new URLSearchParams(await text(request));
    service.received.push(fields);
    if (service.comment) await service.comment(fields, response, service.received.length);
    else take(service, fields, response);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  service.baseUrl = await listenLocally(server);
  onTestFinished(() => server.close().closeAllConnections());
  return service;
}

/** As a service that reads the documented form. */
export function take(service: CommentService, fields: URLSearchParams, response: ServerResponse): void {
  const { content, parent } = commentIn(fields);
  response.writeHead(201).end(JSON.stringify({ id: service.keep(content, parent) }));
}

export function commentIn(fields: URLSearchParams): { content: string; parent: string } {
  const json: unknown = JSON.parse(fields.get('comment') ?? 'null');
  if (typeof json !== 'object' || json === null || !('content' in json) || typeof json.content !== 'string')
    return expect.fail('no comment');
  return { content: json.content, parent: 'parent' in json && typeof json.parent === 'string' ? json.parent : '' };
}

export interface TestComments {
  folder: string;
  stores: Stores;
  comments: Comments;
  options: RepositoryOptions;
  reported: number;
  /** How often a draft was reported. */
  drafted: number;
  /** The states in which comments were reported as lost. */
  lost: string[];
  slept: number[];
  defects: unknown[];
  /** Of each comment of the thread: state, text, whether the service lists it. */
  shown(): string[];
  send(text: string, parentId?: string | null): Promise<number>;
  close(): Promise<void>;
}

export interface TestCommentsOptions {
  folder?: string;
  rememberForm?(form: 'json' | 'brackets'): void;
}

export async function createTestComments(
  service: CommentService,
  { folder, rememberForm }: TestCommentsOptions = {},
): Promise<TestComments> {
  const base = folder ?? temporaryFolder();
  const stores = await openStores(migratedData(join(base, 'data')), null);
  const events = new EventHub();
  const slept: number[] = [];
  const setup: TestComments = {
    folder: base,
    stores,
    options: { ...defaultRepositoryOptions },
    reported: 0,
    drafted: 0,
    lost: [],
    slept,
    defects: [],
    comments: new Comments({
      events,
      store: stores.comments,
      reader: stores.commentReader,
      library: stores.library,
      connect: connectTo(service.baseUrl),
      repositoryOptions: (id) => (id === team ? setup.options : null),
      rememberForm: (_, form) =>
        rememberForm ? rememberForm(form) : void (setup.options = { ...setup.options, commentForm: form }),
      logDefect: (error) => void setup.defects.push(error),
      timing: {
        now: () => performance.now(),
        date: () => Date.now(),
        random: () => 1,
        sleep: async (milliseconds, signal) => {
          slept.push(milliseconds);
          await new Promise((resolve) => setImmediate(resolve));
          signal.throwIfAborted();
        },
      },
    }),
    shown: () =>
      setup.stores.comments
        .thread(team, md5)
        .comments.map(
          ({ content, own }) => `${own?.state ?? 'theirs'} ${content}${own?.isListed === false ? ' (not listed)' : ''}`,
        ),
    send: (content, parentId = null) => setup.comments.send(team, md5, { text: content, parentId }),
    close: async () => {
      await setup.comments.close();
      await stores.jobReader.close();
      stores.close();
    },
  };
  events.subscribe((event) => {
    setup.reported += Number(event.name === 'comments.changed');
    setup.drafted += Number(event.name === 'comments.drafted');
    if (event.name === 'comments.lost') setup.lost.push(event.payload.state);
  });
  setup.comments.start();
  onTestFinished(() => setup.close());
  return setup;
}

/** The sample is looked at, so that what the service lists is known. */
export async function lookUp(setup: TestComments, service: CommentService): Promise<void> {
  const api = createRepositoryApi(await connectTo(service.baseUrl)(team, 'repository'));
  const noted = { workspaceId: team, md5, record: await api.getFile(md5) };
  setup.stores.library.noteRecord(noted);
  await listComments(setup.stores.library, noted);
}
