import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { filesHolding } from '../disk.ts';
import { eicarMd5 } from '../eicar.ts';
import { askBehind, breakOff, passOn } from '../faults/forwarded.ts';
import { expect, test } from '../fixtures.ts';
import { startProgram } from '../program.ts';

test('the connection test distinguishes unreachable, untrusted and refused tokens; a token stays in place', async ({
  vitrine,
  settings,
  field,
}) => {
  const repository = vitrine.page.getByRole('group', { name: 'Repository' });
  await test.step('the connection test distinguishes reachable, trusted and token', async () => {
    await settings.fillWorkspace({ name: 'Team', repository: field.baseUrl, token: field.token });
    await vitrine.page.getByRole('button', { name: 'Test connection' }).last().click();
    await expect(vitrine.page.getByText('Token accepted')).toBeVisible();
    await repository.getByLabel('Token', { exact: true }).fill('a-token-nobody-knows');
    await vitrine.page.getByRole('button', { name: 'Test connection' }).last().click();
    await expect(vitrine.page.getByText('Token rejected', { exact: true })).toBeVisible();
    await expect(vitrine.page.getByRole('alert')).toContainText('Token rejected');
  });
  await test.step('a stored token is not shown, survives a rename, and is not sent to another host', async () => {
    await repository.getByLabel('Token', { exact: true }).fill(field.token);
    await settings.save();
    await settings.workspace('Team').getByRole('button', { name: 'Edit' }).click();
    await expect(vitrine.page.getByText('Token stored', { exact: true }).first()).toBeVisible();
    await vitrine.page.getByLabel('Name').fill('Team two');
    await settings.save();
    await settings.workspace('Team two').getByRole('button', { name: 'Test connection' }).click();
    await expect(settings.workspace('Team two').getByText('Token accepted')).toBeVisible();
    await settings.workspace('Team two').getByRole('button', { name: 'Edit' }).click();
    await repository.getByLabel('Address').fill('https://elsewhere.example');
    await settings.save();
    await expect(vitrine.page.getByText('The stored token is for another host')).toBeVisible();
  });
  await test.step('a removed workspace is gone, with its tokens, and the lab is current', async () => {
    await vitrine.page.getByRole('button', { name: 'Cancel' }).click();
    await settings.switchTo('Team two');
    await settings.workspace('Team two').getByRole('button', { name: 'Remove' }).click();
    await vitrine.page.getByRole('button', { name: 'Remove workspace' }).click();
    await expect(settings.workspace('Team two')).toHaveCount(0);
    await expect(settings.workspace('Lab (this computer)').getByText('current')).toBeVisible();
  });
});

test('a workspace reaches its services through a proxy and a web server that both ask for a login', async ({
  vitrine: { page, call, dataDirectory },
  settings,
  field,
}) => {
  const [proxyPassword, frontPassword] = ['proxy pässword', 'front password'];
  const proxy = await startProxy(field.baseUrl, {
    proxy: basicLogin('ana', proxyPassword),
    front: basicLogin('bob', frontPassword),
  });
  const testButton = page.getByRole('button', { name: 'Test connection' }).last();
  // Not a name that any server has: only the proxy reaches it.
  await settings.fillWorkspace({ name: 'Team', repository: 'http://files.example', token: field.token });
  await page.getByText('Allow plain HTTP for this workspace').click();
  await page.getByText('Network', { exact: true }).click();
  await page.getByText('This proxy').click();
  await page.getByLabel('Proxy address').fill(proxy.address);
  await testButton.click();
  await expect(page.getByText('Not reachable')).toBeVisible();
  await page.getByLabel('Proxy user name').fill('ana');
  await page.getByLabel('Proxy password').fill(proxyPassword);
  await page.getByText('A web server in front of the services').click();
  await page.getByLabel('Web server user name').fill('bob');
  await page.getByLabel('Web server password').fill(frontPassword);
  await testButton.click();
  await expect(page.getByText('Token accepted')).toBeVisible();
  await settings.save();

  await settings.workspace('Team').getByRole('button', { name: 'Test connection' }).click();
  await expect(settings.workspace('Team').getByText('Token accepted')).toBeVisible();
  await settings.workspace('Team').getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByText('Password stored')).toHaveCount(2);
  expect(JSON.stringify(await call('workspaces.list', {}))).not.toContain('password"');
  expect(await filesHolding(dataDirectory, proxyPassword, frontPassword)).toEqual([]);
  await page.getByLabel('Proxy address').fill('http://127.0.0.1:9');
  await settings.save();
  await expect(page.getByText('The stored proxy password is for another host')).toBeVisible();
  await proxy.close();
});

const basicLogin = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** A proxy, with a web server behind it in front of the service. Each refuses every other login than its own. */
async function startProxy(
  target: string,
  logins: { proxy: string; front: string },
): Promise<{ address: string; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const refuse = (status: number, header: string): void =>
      void response.writeHead(status, { [header]: 'Basic realm="test"', 'Content-Length': 0 }).end();
    if (request.headers['proxy-authorization'] !== logins.proxy) return refuse(407, 'Proxy-Authenticate');
    if (request.headers.authorization !== logins.front) return refuse(401, 'WWW-Authenticate');
    const { pathname, search } = new URL(request.url ?? '', 'http://files.example');
    request.url = `${pathname}${search}`;
    void askBehind(target, request).then(
      (reply) => passOn(reply, response),
      (error: unknown) => breakOff(response, error),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    },
  };
}

test(
  'plain http to another host needs a tick under a warning, and a failure names the server’s address',
  { tag: '@long' },
  async ({ vitrine, settings, lookup }) => {
    await settings.fillWorkspace({ name: 'Plain', repository: 'http://files.example', token: '' });
    await settings.save();
    await expect(vitrine.page.getByText('Plain http to files.example is not allowed')).toBeVisible();
    await vitrine.page.getByText('Allow plain HTTP for this workspace').click();
    await expect(vitrine.page.getByText('Anyone on the network can read them').first()).toBeVisible();
    await settings.save();
    await expect(settings.workspace('Plain')).toBeVisible();

    await settings.addWorkspace({ name: 'Down', repository: 'http://127.0.0.1:9', token: 'x'.repeat(20) });
    await settings.switchTo('Down');
    await lookup.open();
    await lookup.ask(eicarMd5);
    await expect(lookup.alert).toContainText('Cannot reach the repository');
    await expect(lookup.alert).toContainText('127.0.0.1:9');
    await expect(vitrine.page.getByRole('button', { name: 'Try again' })).toBeVisible();
  },
);

test(
  'tokens can be stored in a sealed file, which is locked at the next start until its passphrase is entered',
  { tag: '@long' },
  async ({ vitrine, lookup, settings, field }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'the desktop stores tokens in the keychain');
    const { page, dataDirectory, program } = vitrine;
    const passphrase = 'a long enough passphrase';
    await settings.addWorkspace({ name: 'Team', repository: field.baseUrl, token: field.token });
    await settings.switchTo('Team');
    await page.getByRole('button', { name: 'Keep tokens: create sealed file…' }).click();
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByLabel('Repeat passphrase').fill(passphrase);
    await page.getByRole('button', { name: 'Create sealed file', exact: true }).click();
    await settings.open('Tokens');
    await expect(page.getByText('Tokens are in the sealed file')).toBeVisible();
    await program?.stop();
    expect(await filesHolding(vitrine.folder, field.token, passphrase)).toEqual([]);

    const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
    const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await page.goto(link);
    await expect(page.getByText('Tokens are locked')).toBeVisible();
    await lookup.ask(eicarMd5);
    await expect(lookup.alert).toContainText('The token store is locked');
    await settings.open('Tokens');
    await page.getByLabel('Passphrase', { exact: true }).fill('not that passphrase');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(page.getByText('Wrong passphrase')).toBeVisible();
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(page.getByText('Tokens are in the sealed file')).toBeVisible();
    await lookup.open();
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await again.stop();
  },
);

test(
  'a sealed file that is damaged, or whose passphrase is forgotten, is replaced by a new one',
  { tag: '@long' },
  async ({ vitrine, settings, field }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'the desktop stores tokens in the keychain');
    const { page, dataDirectory, program } = vitrine;
    const create = async (passphrase: string): Promise<void> => {
      // First the field that a locked file does not have: that one's may be there for a moment more.
      await page.getByLabel('Repeat passphrase').fill(passphrase);
      await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
      await page.getByRole('button', { name: 'Create sealed file' }).click();
      await expect(page.getByText('Tokens are in the sealed file')).toBeVisible();
    };
    const startAgain = async () => {
      const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
      const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
      await page.goto(link);
      await settings.open('Tokens');
      return again;
    };
    await settings.addWorkspace({ name: 'Team', repository: field.baseUrl, token: field.token });
    await settings.open('Tokens');
    await create('a long enough passphrase');
    await program?.stop();
    const file = join(dataDirectory, 'tokens.sealed');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":7'));

    const damaged = await startAgain();
    await expect(page.getByText('The sealed file is damaged')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Unlock' })).toHaveCount(0);
    await settings.open('Workspaces');
    await settings.workspace('Team').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove workspace' }).click();
    await expect(settings.workspace('Team')).toHaveCount(0);
    await settings.open('Tokens');
    await create('another long passphrase');
    await damaged.stop();

    const locked = await startAgain();
    await page.getByRole('button', { name: 'Forget tokens and start over' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget tokens' }).click();
    await create('a third long passphrase');
    await locked.stop();
  },
);
