import { z } from 'zod';

/** The orders for one file of the older release, in the field `files_data`. */
export interface FileOrders {
  virusTotal: boolean;
  sandbox: boolean;
  /** Joined by commas. */
  tags: string;
}

/** PHP takes every text for true but these two. */
const phpTrue = z
  .union([z.boolean(), z.number(), z.string(), z.null()])
  .transform((value) => Boolean(value) && value !== '0');

const filesData = z.array(
  z.object({
    index: z.number().int(),
    vtsubmit: phpTrue.default(true),
    cksubmit: phpTrue.default(true),
    tags: z.string().default(''),
  }),
);

/**
 * Many servers share files with third parties unless the upload forbids it: a file that is forgotten here is given
 * away.
 */
const forgotten: FileOrders = { virusTotal: true, sandbox: true, tags: '' };

/** The orders for a file by its place among the parts named `files[]`. Text that is not understood is no order. */
export function ordersIn(text: string): (index: number) => FileOrders {
  const orders = new Map((filesData.safeParse(jsonOf(text)).data ?? []).map((file) => [file.index, file]));
  return (index) => {
    const given = orders.get(index);
    return given === undefined ? forgotten : { virusTotal: given.vtsubmit, sandbox: given.cksubmit, tags: given.tags };
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
