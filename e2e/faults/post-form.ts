import { type IncomingMessage, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';

export interface FormReply {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Sends a form with a known length, on a connection of its own. */
export async function postForm(address: string, form: FormData | URLSearchParams): Promise<FormReply> {
  const { type, bytes } = await bodyOf(form);
  const asking = ask(address, {
    method: 'POST',
    headers: { 'Content-Type': type, 'Content-Length': bytes.length },
    agent: false,
  });
  asking.end(bytes);
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    asking.once('response', resolve).once('error', reject),
  );
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) };
}

/** The form as it is written on the wire (RFC 7578). */
export async function bodyOf(form: FormData | URLSearchParams): Promise<{ type: string; bytes: Buffer }> {
  const written = new Response(form);
  return { type: written.headers.get('content-type') ?? '', bytes: Buffer.from(await written.arrayBuffer()) };
}
