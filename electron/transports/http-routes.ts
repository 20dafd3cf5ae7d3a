import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, success } from '../../shared/failure.ts';
import { fileNameHeader, sessionRequest } from '../../shared/transport.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { EventHub } from '../event-hub.ts';
import { bodyOf, type JsonBounds, readJson } from './http-body.ts';
import { sendDownload } from './http-download.ts';
import { streamEvents } from './http-events.ts';
import type { HttpLimits } from './http-limits.ts';
import { checkMediaType, checkMethod, checkSession } from './http-locks.ts';
import { sendResult } from './http-reply.ts';
import type { ExportsPort, StagingPort } from './ports.ts';
import type { Sessions } from './session.ts';
import type { StagedOwners } from './staged-owners.ts';
import { sendPageFile } from './static-files.ts';

export interface HttpRooms {
  dispatch: Dispatch;
  events: EventHub;
  staging: StagingPort;
  exports: ExportsPort;
  pageDirectory: string;
  sessions: Sessions;
  owners: StagedOwners;
  limits: HttpLimits;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** As sent, without the query. */
  path: string;
}
type Answer = (exchange: Exchange, rooms: HttpRooms) => Promise<void>;

const sessionBodyBytes = 1024;
const longestFileName = 1024;

/**
 * The whole surface of the web host. `operation` is what a log entry may say: paths carry keys and are not for logs.
 */
export function routeFor(path: string): { operation: string; answer: Answer } {
  if (path === '/session') return { operation: 'session', answer: swapSession };
  if (path === '/events') return { operation: 'events', answer: openEvents };
  if (path === '/stage') return { operation: 'stage', answer: stage };
  if (path.startsWith('/call/')) return { operation: 'call', answer: call };
  if (path.startsWith('/export/')) return { operation: 'export', answer: takeExport };
  return { operation: 'page', answer: page };
}

async function swapSession({ request, response }: Exchange, { sessions, limits }: HttpRooms): Promise<void> {
  checkMethod(request, 'POST');
  checkMediaType(request, 'application/json');
  const read = sessionRequest.safeParse(await readJson(request, 'session', jsonBounds(limits, sessionBodyBytes)));
  const session = read.success ? sessions.swap(read.data.secret) : null;
  if (session === null) fail({ kind: 'link-used' });
  sendResult(response, 200, success({ session }));
}

const jsonBounds = ({ bodyIdleMs, callBodyMs }: HttpLimits, bytes: number): JsonBounds => ({
  bytes,
  idleMs: bodyIdleMs,
  wholeMs: callBodyMs,
});

/** Whatever the dispatcher answers is 200: the call was carried out, and its failure is data like its success. */
async function call(
  { request, response, path }: Exchange,
  { dispatch, sessions, owners, limits }: HttpRooms,
): Promise<void> {
  checkMethod(request, 'POST');
  const key = checkSession(request, sessions);
  checkMediaType(request, 'application/json');
  const name = decoded(path.slice('/call/'.length), 'call');
  const input = await readJson(request, name.slice(0, 80), jsonBounds(limits, limits.callBytes));
  owners.handOver(input, key);
  sendResult(response, 200, await dispatch(name, input));
}

async function openEvents({ request, response }: Exchange, { events, sessions, limits }: HttpRooms): Promise<void> {
  checkMethod(request, 'GET');
  checkSession(request, sessions);
  streamEvents(response, events, limits);
}

async function stage({ request, response }: Exchange, { staging, sessions, owners, limits }: HttpRooms): Promise<void> {
  checkMethod(request, 'POST');
  const key = checkSession(request, sessions);
  checkMediaType(request, 'application/octet-stream');
  const staged = await staging.stageStream(fileNameOf(request), bodyOf(request, limits.bodyIdleMs));
  owners.add(staged.id, key);
  sendResult(response, 200, success(staged));
}

/** No session header: a browser's own download cannot send one. The id is the key, random, and dead after this. */
async function takeExport({ request, response, path }: Exchange, { exports }: HttpRooms): Promise<void> {
  checkMethod(request, 'GET');
  const download = exports.take(path.slice('/export/'.length));
  if (download === null) fail({ kind: 'export-gone' });
  await sendDownload(response, download);
}

async function page({ request, response, path }: Exchange, { pageDirectory }: HttpRooms): Promise<void> {
  checkMethod(request, 'GET', 'HEAD');
  await sendPageFile(response, pageDirectory, path);
}

function fileNameOf(request: IncomingMessage): string {
  const sent = request.headers[fileNameHeader];
  const name = typeof sent === 'string' ? decoded(sent, 'stage') : '';
  if (name === '' || name.length > longestFileName) {
    fail({
      kind: 'bad-input',
      operation: 'stage',
      issues: [{ path: 'name', message: `a file name of 1 to ${longestFileName} characters` }],
    });
  }
  return name;
}

function decoded(text: string, operation: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return fail({ kind: 'bad-input', operation, issues: [{ path: '', message: 'percent-encoded UTF-8' }] }, error);
  }
}
