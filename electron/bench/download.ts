import { parseArgs } from 'node:util';
import { z } from 'zod';
import { md5 } from '../../shared/domain/hash.ts';
import { defaultTimeouts } from '../../shared/domain/workspace.ts';
import { releaseBytes } from '../../shared/release-bytes.ts';
import { createRepositoryApi } from '../api/repository-api.ts';
import { openVault } from '../vault/vault.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ 'base-url': z.url(), md5, vault: z.string().min(1) });

/** One download from a repository into a vault, by the code every download runs through. */
export async function benchDownload(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { 'base-url': { type: 'string' }, md5: { type: 'string' }, vault: { type: 'string' } },
  });
  const { 'base-url': baseUrl, md5: wanted, vault: directory } = options.parse(values);
  const proxyFor = async (): Promise<null> => null;
  const api = createRepositoryApi({
    service: 'repository',
    baseUrl,
    token: 'bench',
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
    proxyFor,
    basic: null,
    clientCertificate: null,
  });
  const vault = await openVault(directory, null);
  const begun = performance.now();
  const reply = await api.downloadFile(wanted);
  const receiver = vault.receive();
  for await (const chunk of reply.chunks) {
    await receiver.write(chunk);
    releaseBytes(chunk);
  }
  const { sha256, sizeBytes } = await receiver.finish({ md5: wanted, sha256: null });
  const seconds = (performance.now() - begun) / 1000;
  await vault.close();
  return { sha256, sizeBytes, seconds, residentMiB: residentMiB() };
}
