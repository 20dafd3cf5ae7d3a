import { z } from 'zod';
import type { FileOrders } from './files-data.ts';
import { postForm } from './post-form.ts';
import type { ZipItem } from './zip-items.ts';

/** The lab's service, and who asks it. */
export interface LabCaller {
  target: string;
  token: string;
}

export interface LabFile extends ZipItem {
  orders: FileOrders;
  comment: string;
}

export type Admission = 'may-upload' | 'token-refused' | 'no-right';

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const outcome = z.object({ files: z.tuple([z.object({ error: z.string().optional() })]) });

/** Asked with nothing in it, because a lab that refuses does not read what there is. */
export async function admission({ target, token }: LabCaller): Promise<Admission> {
  const { status } = await postForm(
    `${target}/api.php?${new URLSearchParams({ action: 'uploadfiles', token }).toString()}`,
    new FormData(),
  );
  return status === 401 ? 'token-refused' : status === 403 ? 'no-right' : 'may-upload';
}

/** Sends one file in the documented form. Null when the lab stored it, else why it did not. */
export async function storeInLab(
  { target, token }: LabCaller,
  { name, bytes, orders, comment }: LabFile,
): Promise<string | null> {
  const form = new FormData();
  form.append('files[]', new Blob([Buffer.from(bytes)]), name);
  form.append('vtsubmit[]', String(orders.virusTotal));
  form.append('cksubmit[]', String(orders.sandbox));
  form.append('tags[]', orders.tags);
  form.append('comment', comment);
  const reply = await postForm(
    `${target}/api.php?${new URLSearchParams({ action: 'uploadfiles', token }).toString()}`,
    form,
  );
  const said: unknown = JSON.parse(reply.text);
  if (reply.status !== 200) return refusal.parse(said).error.message;
  return outcome.parse(said).files[0].error ?? null;
}
