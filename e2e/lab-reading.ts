import { z } from 'zod';
import type { FieldServer } from './team.ts';

/** What a lab keeps of a file, read from the lab itself and not through a proxy. */
export interface KeptRecord {
  md5: string;
  sha256: string;
  name: string;
  sizeBytes: number;
  tags: string[];
  /** Whether it was submitted to be handed on. */
  virusTotal: boolean;
  sandbox: boolean;
  uploader: string;
  comments: { id: number; parent: number | null; author: string; content: string }[];
}

const labFile = z.object({
  md5: z.string(),
  sha256: z.string(),
  filename: z.string(),
  size: z.number(),
  tags: z.string(),
  vtsubmit: z.boolean(),
  cksubmit: z.boolean(),
  user_name: z.string(),
  comments: z.array(
    z.object({ id: z.number(), parent: z.number().nullable(), author: z.string(), content: z.string() }),
  ),
});

/** Null when the lab does not have it. `token` is one that may read. */
export async function recordOf(
  { labUrl, token }: Pick<FieldServer, 'labUrl' | 'token'>,
  md5: string,
): Promise<KeptRecord | null> {
  const response = await fetch(
    `${labUrl}/api.php?${new URLSearchParams({ action: 'getfile', hash: md5, token }).toString()}`,
  );
  const said: unknown = await response.json();
  if (response.status === 404) return null;
  if (response.status !== 200) throw new Error(`the lab says ${response.status}: ${JSON.stringify(said)}`);
  const { filename, size, tags, vtsubmit, cksubmit, user_name, ...rest } = z.object({ file: labFile }).parse(said).file;
  return {
    ...rest,
    name: filename,
    sizeBytes: size,
    tags: tags === '' ? [] : tags.split(','),
    virusTotal: vtsubmit,
    sandbox: cksubmit,
    uploader: user_name,
  };
}

/** The records of those it has, by MD5, in the order given. */
export async function recordsOf(
  team: Pick<FieldServer, 'labUrl' | 'token'>,
  md5s: readonly string[],
): Promise<KeptRecord[]> {
  const records: KeptRecord[] = [];
  for (const md5 of md5s) {
    const record = await recordOf(team, md5);
    if (record !== null) records.push(record);
  }
  return records;
}
