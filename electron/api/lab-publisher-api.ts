import { z } from 'zod';
import { labPublication, type LabPublication } from '../../shared/domain/lab.ts';
import { brokenRule, type BrokenRule } from '../../shared/domain/publication.ts';
import { fail } from '../../shared/failure.ts';
import type { Call, CallFacts, WholeReply } from './call.ts';
import { type CallOptions, type ClientOptions, createClient, type PostOptions } from './client/client.ts';
import type { Connection } from './connections.ts';
import { quotedReply, readJsonReply } from './replies/json-reply.ts';
import { multipartBody } from './request-body.ts';

/** A file of a publication. */
export interface PublishedFile {
  /** Inside the package, with `/` between folders. */
  path: string;
  sizeBytes: number;
  /** Its bytes from the beginning; opened once a try. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * What became of files that were to be published: `published` null when nothing was, because of the rules in `broken`.
 */
export interface PublishReply {
  published: LabPublication | null;
  broken: BrokenRule[];
}

/** Calls that only the lab has, for the program that started it (docs/services.md, "The lab"). */
export interface LabPublisher {
  publications(options?: CallOptions): Promise<LabPublication[]>;
  /**
   * Publishes files under a version. Throws `request-refused` in the lab's words for a version that is taken or a form
   * that it does not take, `may-have-arrived` when its answer was lost, and what `open` throws, as it is.
   */
  publish(
    files: readonly PublishedFile[],
    to: Pick<LabPublication, 'version' | 'group'>,
    options?: PostOptions,
  ): Promise<PublishReply>;
}

const listReply = z.object({ publications: z.array(labPublication) });
const publishReply = z.object({ published: labPublication.nullable(), broken: z.array(brokenRule) });
const listCall: Call = { action: 'publications', parameters: [], hashes: [] };
const publishCall: Call = { action: 'publish', parameters: [], hashes: [] };

export function createLabPublisher(connection: Connection, options: ClientOptions = {}): LabPublisher {
  const client = createClient(connection, options);
  return {
    publications: async (callOptions) =>
      readReply(listReply, await client.read(listCall, callOptions), client.facts(listCall)).publications,
    publish: async (files, { version, group }, postOptions) => {
      const parts = files.map((file) => ({
        field: 'files[]',
        name: file.path,
        sizeBytes: file.sizeBytes,
        open: () => file.open(),
      }));
      const reply = await client.post(
        publishCall,
        () =>
          multipartBody(
            [
              ['version', version],
              ['group', group],
            ],
            parts,
            () => {},
          ),
        postOptions,
      );
      return readReply(publishReply, reply, client.facts(publishCall));
    },
  };
}

function readReply<T>(schema: z.ZodType<T>, reply: WholeReply, facts: CallFacts): T {
  const read = schema.safeParse(readJsonReply(reply, facts));
  return read.success ? read.data : fail(quotedReply('unreadable-reply', reply, facts));
}
