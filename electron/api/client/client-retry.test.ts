import { describe, expect, it } from 'vitest';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { defaultLimits, systemTiming } from '../limits.ts';
import { instantTiming } from '../scripted-server.fixture.ts';
import { type Outcome, readRetryAfter, retried } from './client.ts';

const at = { service: 'repository', address: 'https://repo.example/api.php' } as const;
const reset: Failure = { kind: 'unreachable', ...at, reason: 'reset', code: 'ECONNRESET' };
const lasting = new AbortController().signal;

/** Runs tries that end in these failures, then in a value. */
async function run(failures: Failure[], retryAfterSeconds: number | null = null, limits = defaultLimits) {
  const timing = instantTiming();
  let tries = 0;
  const once = async (): Promise<Outcome<string>> => {
    const failure = failures[tries++];
    return failure ? { error: new FailureError(failure), retryAfterSeconds } : { value: 'done' };
  };
  const result = await retried(once, { limits, timing, signal: lasting }).catch((error: unknown) =>
    error instanceof FailureError ? error.failure : error,
  );
  return { result, tries, slept: timing.slept };
}

describe('a retry', () => {
  it.each<[string, Failure]>([
    ['a refused connection', { ...reset, reason: 'refused', code: 'ECONNREFUSED' }],
    ['a closed connection', reset],
    ['no way there', { ...reset, reason: 'network', code: 'ENETUNREACH' }],
    ['a name server that is busy', { ...reset, reason: 'name', code: 'EAI_AGAIN' }],
    ['a proxy that is down', { ...reset, reason: 'proxy', code: 'ECONNREFUSED' }],
    ['a lost connection', { kind: 'connection-lost', ...at, receivedBytes: 1, expectedBytes: 2 }],
    ['a connection that takes too long', { kind: 'timed-out', ...at, phase: 'connect', seconds: 10 }],
    ['502', { kind: 'service-failed', ...at, status: 502, text: '' }],
    ['503', { kind: 'service-failed', ...at, status: 503, text: '' }],
    ['504', { kind: 'service-failed', ...at, status: 504, text: '' }],
    ['429', { kind: 'slow-down', ...at, status: 429, retryAfterSeconds: null }],
  ])('follows %s', async (_, failure) => {
    expect(await run([failure])).toMatchObject({ result: 'done', tries: 2 });
  });

  it.each<[string, Failure]>([
    ['an unknown name', { ...reset, reason: 'name', code: 'ENOTFOUND' }],
    ['what is no web server', { ...reset, reason: 'protocol', code: 'HPE_INVALID_CONSTANT' }],
    ['a proxy that refuses', { ...reset, reason: 'proxy', code: '407' }],
    ['a long silence', { kind: 'timed-out', ...at, phase: 'first-byte', seconds: 300 }],
    ['500', { kind: 'service-failed', ...at, status: 500, text: '' }],
    ['a refused token', { kind: 'token-refused', ...at, status: 401 }],
    [
      'a certificate that does not hold',
      { kind: 'not-trusted', ...at, reason: 'expired', fingerprint: null, code: 'X' },
    ],
    ['cancelling', { kind: 'cancelled' }],
  ])('does not follow %s', async (_, failure) => {
    expect(await run([failure])).toMatchObject({ result: failure, tries: 1, slept: [] });
  });

  it('does not follow the last attempt of a call that may have been accepted', async () => {
    let tries = 0;
    const once = async (): Promise<Outcome<string>> => ({
      error: new FailureError(reset),
      retryAfterSeconds: null,
      isFinal: (tries += 1) === 2,
    });
    expect(
      await failureOf(() => retried(once, { limits: defaultLimits, timing: instantTiming(), signal: lasting })),
    ).toEqual(reset);
    expect(tries).toBe(2);
  });

  it('waits twice as long each time, up to a limit, and ends with the last failure', async () => {
    const limits = { ...defaultLimits, attempts: 6, firstWaitMs: 100, longestWaitMs: 500 };
    const { result, tries, slept } = await run(
      Array.from({ length: 9 }, () => reset),
      null,
      limits,
    );
    expect({ result, tries, slept }).toEqual({ result: reset, tries: 6, slept: [100, 200, 400, 500, 500] });
  });

  it('waits as long as the service requests, and not at all when that is too long', async () => {
    const busy: Failure = { kind: 'service-failed', ...at, status: 503, text: '' };
    expect(await run([busy], 7)).toMatchObject({ result: 'done', slept: [7000] });
    expect(await run([busy], 11)).toMatchObject({ result: busy, tries: 1, slept: [] });
    expect(await run([busy], 3600)).toMatchObject({ result: busy, tries: 1, slept: [] });
  });

  it('is cancelled in the middle of the wait', async () => {
    const controller = new AbortController();
    const timing = { ...systemTiming, random: () => 1 };
    const once = async (): Promise<Outcome<string>> => {
      setImmediate(() => controller.abort());
      return { error: new FailureError(reset), retryAfterSeconds: 10 };
    };
    expect(await failureOf(() => retried(once, { limits: defaultLimits, timing, signal: controller.signal }))).toEqual({
      kind: 'cancelled',
    });
  });
});

describe('Retry-After', () => {
  it.each([
    ['12', 12],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
    ['-5', null],
    ['1e3', null],
    ['soon', null],
    ['99999999999999', null],
    ['', null],
    [undefined, null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(seconds);
  });
});
