import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Failure } from '../../shared/failure.ts';
import { FailureNotice } from './failure-notice.tsx';

afterEach(cleanup);

const refused: Failure = { kind: 'unreachable', service: 'repository', address: 'https://samples.example/repo', reason: 'refused', code: 'ECONNREFUSED' };
const retry = { name: 'samples.lookup', input: { workspaceId: 'lab', hash: '25f4f5501a058ba518efc1a525f2e8cf' } } as const;

test('it says what happened and what it means, and is announced', () => {
  render(<FailureNotice failure={refused} />);
  expect(screen.getByRole('alert').textContent).toContain('The repository cannot be reached');
  expect(screen.getByRole('alert').textContent).toContain('Nothing listens at https://samples.example/repo');
});

test('trying again hands the same request back, as data', async () => {
  const onRetry = vi.fn();
  render(<FailureNotice failure={refused} retry={retry} onRetry={onRetry} />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledExactlyOnceWith(retry);
});

test('without a request there is nothing to try again', () => {
  render(<FailureNotice failure={refused} />);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('the details are copied whole, and it says so', async () => {
  const user = userEvent.setup();
  render(<FailureNotice failure={refused} />);
  await user.click(screen.getByRole('button', { name: 'Copy details' }));
  expect(await screen.findByText('Copied')).toBeDefined();
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual(refused);
});

test('what a service said is text: nothing of it becomes an element', () => {
  render(<FailureNotice failure={{ kind: 'forbidden', service: 'repository', address: 'https://a.example', status: 403, text: '<img src=x onerror=alert(1)>\u202e' }} />);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain('<img src=x onerror=alert(1)>\\u202e');
});
