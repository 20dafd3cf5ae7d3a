import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Answering, sendJson } from './field-options.ts';
import { empty } from './field-refusals.ts';
import { type FileOrders, ordersIn } from './files-data.ts';
import { type Admission, admission, type LabCaller, storeInLab } from './lab-upload.ts';
import type { PhpForm } from './php-form.ts';
import { phpUrldecode } from './php-urldecode.ts';
import { isArchive, unpacked } from './unpacked-archive.ts';
import type { ZipItem } from './zip-items.ts';

/** A POST as the program behind PHP sees it. */
export interface FieldCall {
  form: PhpForm;
  token: string;
}

/** An upload as it applies to one file: everything but the file itself. */
interface Upload extends LabCaller {
  allowed: Admission;
  comment: string;
  rewritesNames: boolean;
}

/** An item of the reply. There is one for each file, and for an archive one for each member. */
type Item = { name: string; size: string } & ({ md5: string } | { md5: false; error: string });

/**
 * 200 whatever became of the files. Flags and tags come by `files_data` alone; the documented arrays are not looked at.
 */
export async function answerUpload(
  dialect: Answering,
  { form, token }: FieldCall,
  response: ServerResponse,
): Promise<void> {
  const { target, rewritesNames } = dialect;
  const allowed = await admission({ target, token });
  if (allowed === 'token-refused') return empty(response, 401);
  const upload: Upload = {
    target,
    token,
    allowed,
    rewritesNames,
    comment: phpUrldecode(form.fields.get('comment') ?? ''),
  };
  const ordersOf = ordersIn(form.fields.get('files_data') ?? '');
  const items: Item[] = [];
  for (const [index, file] of form.files.filter(({ field }) => field === 'files[]').entries())
    items.push(...(await received(upload, file, ordersOf(index))));
  sendJson(dialect, response, { files: items });
}

/** An archive is not kept: its members are, each as the archive was meant to be. */
async function received(upload: Upload, file: ZipItem, orders: FileOrders): Promise<Item[]> {
  if (file.bytes.length === 0 || !isArchive(file)) return [await stored(upload, file, orders)];
  const members = await unpacked(file.bytes);
  if (members === null) return [failed(file, 'Unable to open archive')];
  const items: Item[] = [];
  for (const member of members) items.push(await stored(upload, member, orders));
  return items;
}

/** A file that is there already keeps its tags and comments, and the lab reports in the same words that it is there. */
async function stored(upload: Upload, { name, bytes }: ZipItem, orders: FileOrders): Promise<Item> {
  const file = { name: upload.rewritesNames ? name.replace(/[^A-Za-z0-9._-]/g, '_') : name, bytes };
  if (upload.allowed === 'no-right') return failed(file, `You don't have enough permissions`);
  if (bytes.length === 0) return failed(file, 'File is too small');
  const error = await storeInLab(upload, { ...file, orders, comment: upload.comment });
  return error === null
    ? { name: file.name, size: String(bytes.length), md5: createHash('md5').update(bytes).digest('hex') }
    : failed(file, error);
}

const failed = ({ name, bytes }: ZipItem, error: string): Item => ({
  name,
  size: String(bytes.length),
  md5: false,
  error,
});
