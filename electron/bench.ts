import { parseArgs } from 'node:util';
import { z } from 'zod';
import { md5 } from '../shared/domain/hash.ts';
import { defaultTimeouts } from '../shared/domain/workspace.ts';
import { releaseBytes } from '../shared/release-bytes.ts';
import { createRepositoryApi } from './api/repository-api.ts';
import { openVault } from './vault/vault.ts';

/**
 * What `npm run bench` measures of the host, as a process of its own whose memory can be told: one download from a
 * repository into a vault, by the code every download runs through. Prints one line of JSON and ends.
 */
const options = z.object({ 'base-url': z.url(), md5, vault: z.string().min(1) });

const { values } = parseArgs({ options: { 'base-url': { type: 'string' }, md5: { type: 'string' }, vault: { type: 'string' } } });
const { 'base-url': baseUrl, md5: wanted, vault: directory } = options.parse(values);

const api = createRepositoryApi({
  service: 'repository',
  baseUrl,
  token: 'bench',
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  proxyFor: async () => null,
});
const vault = await openVault(directory);
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

/** The most it ever had in memory; Node gives it in KiB. */
const residentMiB = process.resourceUsage().maxRSS / 1024;
process.stdout.write(`${JSON.stringify({ sha256, sizeBytes, seconds, residentMiB })}\n`);
