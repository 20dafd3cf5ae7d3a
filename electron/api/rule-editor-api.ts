import type { Json } from '../../shared/domain/sample.ts';
import type { ServerAction } from '../../shared/domain/server-action.ts';
import { FailureError } from '../../shared/failure.ts';
import type { Call } from './call.ts';
import { type CallOptions, type ClientOptions, createClient, noting } from './client/client.ts';
import type { Connection } from './connections.ts';
import { type ByteReply, packageBytes, rulesBytes } from './replies/file-replies.ts';
import { readScanBytes, type ScanReply } from './replies/scan-reply.ts';
import { type EditorFile, readEditorFiles } from './replies/server-lists.ts';
import { readVersionBytes } from './replies/version-reply.ts';
import { readReply } from './reply-thread.ts';
import { type FormFile, multipartBody } from './request-body.ts';

/** In which form a publication is requested. */
export interface PublicationForm {
  /** Under a name that does not show what it is. */
  publicLink: boolean;
  /** As the service is set up to encrypt it. */
  encrypted: boolean;
}

/** A file to be scanned. Its name is untrusted text; its bytes are opened once a try. */
export type ScannedBytes = Omit<FormFile, 'field'>;

export interface ScanOptions extends CallOptions {
  /** So many more bytes of the file were taken to be sent. They begin again when the call is tried again. */
  moved?(bytes: number): void;
}

/** The rule editor's calls (docs/services.md, "The rule editor"). */
export interface RuleEditorApi {
  /** Where its calls go, without query or secrets. */
  readonly address: string;
  /**
   * The service's answer about a version, as it came: the names in the reply are not settled, and `readVersionReply`
   * searches for them. Bounded, and without the token. `beta`: publications of the group Test count too. Throws
   * `request-refused` for an error in JSON under a good status, or why there was no such answer.
   */
  checkVersion(version: string, beta: boolean, options?: CallOptions): Promise<Json>;
  /**
   * The bytes of a publication as they arrive, from wherever the service's redirects lead; stray bytes `{}` may follow
   * them. Throws `redirect-refused`; `request-refused`, `html-reply` or `empty-reply` for what came in the place of a
   * package; or why there was no answer. A failure has the address that failed, never its query.
   */
  downloadPublication(id: string, how: PublicationForm, options?: CallOptions): Promise<ByteReply>;
  /**
   * Sends one file to be scanned with what the service publishes. Any JSON is an answer, also one that reports a failed
   * scan. Throws `may-have-arrived` when all was sent and there is no whole reply, for a cancelled call too, and never
   * sends it again by itself; `file-changed` when the file does not have its declared length, and what `open` throws,
   * as it is; or why there was no such answer.
   */
  scanFile(file: ScannedBytes, options?: ScanOptions): Promise<ScanReply>;
  /** All files of rules that the editor keeps. Optional (docs/services.md, "exportfile"). */
  ruleFiles(options?: CallOptions): Promise<EditorFile[]>;
  /**
   * One of those files as text, as it arrives; stray bytes `{}` may follow it. Throws `empty-reply` for an empty one,
   * and `request-refused`, `html-reply` or `unreadable-reply` for anything that does not begin as a file of rules.
   * Optional (docs/services.md, "exportfile").
   */
  exportFile(id: string, options?: CallOptions): Promise<ByteReply>;
}

/** It has three facts: megabytes are of no use. */
const versionReplyBytes = 256 * 1024;

const scanCall: Call = { action: 'scanfile', parameters: [], hashes: [] };

export function createRuleEditorApi(connection: Connection, options: ClientOptions = {}): RuleEditorApi {
  const client = createClient(connection, { ...options, limits: { replyBytes: versionReplyBytes, ...options.limits } });
  const scans = createClient(connection, options);
  const noted = <T>(action: ServerAction, run: () => Promise<T>): Promise<T> => noting(connection, action, run);
  return {
    address: scans.facts(scanCall).address,
    checkVersion: (version, beta, callOptions) =>
      noted('checkpackageversion', async () => {
        const call: Call = {
          action: 'checkpackageversion',
          parameters: [
            ['version', version],
            ['beta', String(beta)],
          ],
          hashes: [],
        };
        const facts = client.facts(call);
        const reply = await client.read(call, callOptions);
        return readReply({ kind: 'version', question: null, reply, facts, secrets: connection }, readVersionBytes);
      }),
    scanFile: ({ name, sizeBytes, open }, { moved = () => {}, ...callOptions } = {}) =>
      noted('scanfile', async () => {
        // A part without a name is taken for no file by many servers.
        const part = { field: 'files[]', name: name === '' ? 'sample' : name, sizeBytes, open };
        const reply = await scans.post(
          scanCall,
          () => multipartBody([], [part], (_, bytes) => moved(bytes)),
          callOptions,
        );
        const facts = scans.facts(scanCall);
        return readReply({ kind: 'scan', question: null, reply, facts, secrets: connection }, readScanBytes);
      }),
    downloadPublication: (id, { publicLink, encrypted }, callOptions) =>
      noted('downloadpublication', async () => {
        const call: Call = {
          action: 'downloadpublication',
          parameters: [
            ['id', id],
            ['public_link', String(publicLink)],
            ['encrypted', String(encrypted)],
          ],
          hashes: [],
        };
        return packageBytes(await client.open(call, { ...callOptions, followsRedirects: true }));
      }),
    ruleFiles: async (callOptions) => {
      const call: Call = { action: 'getfiles', parameters: [], hashes: [] };
      return noted('exportfile', async () => {
        try {
          const [reply, facts] = [await scans.read(call, callOptions), scans.facts(call)];
          return await readReply(
            { kind: 'ruleFiles', question: null, reply, facts, secrets: connection },
            readEditorFiles,
          );
        } catch (error) {
          if (hasNoFiles(error)) return [];
          throw error;
        }
      });
    },
    exportFile: (id, callOptions) =>
      noted('exportfile', async () => {
        const call: Call = { action: 'exportfile', parameters: [['id', id]], hashes: [] };
        return rulesBytes(await scans.open(call, callOptions));
      }),
  };
}

/** An editor without a file refuses to list them, in these words. */
const hasNoFiles = (error: unknown): boolean =>
  error instanceof FailureError &&
  error.failure.kind === 'forbidden' &&
  error.failure.text.trim().toLowerCase() === 'unable to get files';
