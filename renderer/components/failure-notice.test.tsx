import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { failureExamples } from '../../shared/failure-examples.fixture.ts';
import { type Failure, readFailure } from '../../shared/failure-kinds.ts';
import { canBeRetried } from '../../shared/failure-retry.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { failed } from '../../shared/failure.ts';
import { notingOrigins } from '../bridge/bridge-context.tsx';
import { createQueryClient } from '../bridge/query-client.ts';
import { detailsOf } from './failure-format.ts';
import { FailureNotice } from './failure-notice.tsx';

const refused: Failure = {
  kind: 'unreachable',
  service: 'repository',
  address: 'https://samples.example/repo',
  reason: 'refused',
  code: 'ECONNREFUSED',
};
const retry = {
  name: 'samples.lookup',
  input: { workspaceId: 'lab', hash: '25f4f5501a058ba518efc1a525f2e8cf' },
} as const;

test('FailureNotice names the failure and its meaning, and is announced', () => {
  render(<FailureNotice failure={refused} />);
  expect(screen.getByRole('alert').textContent).toContain('Cannot reach the repository');
  expect(screen.getByRole('alert').textContent).toContain('Connection refused by https://samples.example/repo');
});

test('FailureNotice passes the same request to its retry, as data', async () => {
  const onRetry = vi.fn();
  render(<FailureNotice failure={refused} retry={retry} onRetry={onRetry} />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledExactlyOnceWith(retry);
});

test('FailureNotice offers no retry without a request', () => {
  render(<FailureNotice failure={refused} />);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test.each(failureExamples)(
  '$kind: the notice names the failure and its meaning, and offers a retry only where it can help',
  (failure) => {
    const onAgain = vi.fn();
    render(<FailureNotice failure={failure} onAgain={onAgain} />);
    const { what, then } = sentenceFor(failure);
    expect(screen.getByRole('alert').textContent).toContain(what);
    expect(screen.getByRole('alert').textContent).toContain(then);
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(canBeRetried(failure));
  },
);

test('FailureNotice offers no retry of a request that may have arrived', () => {
  render(
    <FailureNotice
      failure={{ kind: 'may-have-arrived', service: 'repository', address: 'https://a.example', action: 'addcomment' }}
      retry={retry}
      onRetry={vi.fn()}
    />,
  );
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('FailureNotice copies details with operation, time and version, and confirms the copy', async () => {
  const user = userEvent.setup();
  const client = createQueryClient();
  client.setQueryData(['host.describe', {}], { version: '1.2.3' });
  const bridge = notingOrigins({
    call: async () => failed(refused),
    subscribe: () => () => {},
    stageFile: async () => failed(refused),
  });
  const before = new Date().toISOString();
  const reply = await bridge.call('samples.lookup', retry.input);
  render(
    <QueryClientProvider client={client}>
      <FailureNotice failure={reply.ok ? expect.fail('no failure') : reply.failure} />
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Copy details' }));
  expect(await screen.findByText('Copied')).toBeDefined();
  const details = z
    .looseObject({ at: z.string(), copied: z.string() })
    .parse(JSON.parse(await navigator.clipboard.readText()));
  expect(details).toMatchObject({ ...refused, operation: 'samples.lookup', version: '1.2.3' });
  expect(details.at >= before && details.at <= details.copied).toBe(true);
  expect(JSON.stringify(details)).not.toContain(retry.input.hash);
});

const secrets =
  'https://user:pa55word@a.example/api.php?token=S3cretS3cret&x=1#S3cretS3cret said Authorization: Bearer ' +
  'S3cretS3cret, password="S3cretS3cret"; api_key: S3cretS3cret';

test.each(failureExamples.map((failure) => failure.kind))(
  'the details of %s contain no token and no whole address, even from a service',
  (kind) => {
    const example = failureExamples.find((each) => each.kind === kind) ?? expect.fail('no example');
    const said =
      readFailure(
        Object.fromEntries(
          Object.entries(example).map(([name, fact]) => [
            name,
            ['text', 'address', 'name'].includes(name) ? secrets : fact,
          ]),
        ),
      ) ?? expect.fail('not of the catalogue');
    const details = detailsOf(said, '1.0.0');
    expect(JSON.parse(details)).toMatchObject({ kind, version: '1.0.0' });
    expect(details).not.toMatch(/S3cret|pa55word|user:|[?#]/);
  },
);

const longName = `${'a'.repeat(150)}${'z'.repeat(146)}.exe`;

test('a name of 300 characters is cut in its middle and keeps its ending', () => {
  render(<FailureNotice failure={{ kind: 'file-changed', name: longName }} />);
  const title = within(screen.getByRole('alert')).getByText(/has changed/).textContent;
  expect(title).toMatch(/^“a+…z+\.exe” has changed$/);
  expect(title.length).toBeLessThan(110);
});

test('a right-to-left name reverses none of the surrounding text', () => {
  render(<FailureNotice failure={{ kind: 'file-unreadable', name: 'חשבון 2026.exe', code: 'EACCES' }} />);
  const title = within(screen.getByRole('alert')).getByText(/Cannot read/);
  expect(title.textContent).toBe('Cannot read “\u2066חשבון 2026.exe\u2069”');
  expect(title.closest('[dir]')?.getAttribute('dir')).toBe('ltr');
});

test('the text of a service is plain text, and none of it becomes an element', () => {
  render(
    <FailureNotice
      failure={{
        kind: 'forbidden',
        service: 'repository',
        address: 'https://a.example',
        status: 403,
        text: '<img src=x onerror=alert(1)>\u202e',
      }}
    />,
  );
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain('<img src=x onerror=alert(1)>\\u202e');
});
