import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

/** `node record-requests.ts URL LIST AT_ONCE`: requests each hash of the list, by a connection of its own. */
const [url = '', listPath = '', atOnce = '1'] = process.argv.slice(2);
const hashes = readFileSync(listPath, 'utf8').trim().split('\n').values();
const agent = new Agent({ keepAlive: false });

const ask = (hash: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${url}/api.php?action=getfile&token=bench&hash=${hash}`, { agent }, (response) => {
      response.resume();
      response.once('end', resolve);
    }).once('error', reject);
  });
async function askEach(): Promise<void> {
  for (const hash of hashes) await ask(hash);
}

await Promise.all(Array.from({ length: Number(atOnce) }, askEach));
