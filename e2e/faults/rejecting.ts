import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type FormReply, postForm } from './post-form.ts';
import { divided } from './rejected-parts.ts';
import type { UploadFault } from './upload-fault.ts';

export interface RejectedUpload {
  /** Of the service behind, with the whole query. */
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  fault: Extract<UploadFault, { kind: 'rejects' }>;
  response: ServerResponse;
}

const listed = z.object({ files: z.array(z.unknown()) });
const noneListed: FormReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  text: '{"files":[]}',
};

/** Sends on what is not rejected, and adds the rejected ones to the service's own list. */
export async function answerRejecting({ address, headers, body, fault, response }: RejectedUpload): Promise<void> {
  const { md5s, error, namesMd5 } = fault;
  const { rest, rejected } = await divided(headers, body, (md5) => md5s === 'all' || md5s.includes(md5));
  const reply = rest === null ? noneListed : await postForm(address, rest);
  const items = rejected.map(({ name, sizeBytes, md5 }) => ({
    name,
    size: String(sizeBytes),
    md5: namesMd5 ? md5 : false,
    error,
  }));
  response.writeHead(reply.status, { 'Content-Type': reply.headers['content-type'] ?? 'text/html' });
  response.end(
    reply.status === 200
      ? JSON.stringify({ files: [...listed.parse(JSON.parse(reply.text)).files, ...items] })
      : reply.text,
  );
}
