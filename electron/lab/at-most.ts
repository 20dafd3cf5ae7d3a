import { LabError } from './errors.ts';

const comeAgainSeconds = 5;

/**
 * Answers so many calls at a time, each of which holds memory; one more is told to come again, before anything of it is
 * read. `refusal` tells a person how many there may be.
 */
export function atMost<Call>(
  most: number,
  refusal: string,
  answer: (call: Call) => Promise<void>,
): (call: Call) => Promise<void> {
  let running = 0;
  return async (call) => {
    if (running >= most) throw new LabError('busy', refusal, { 'Retry-After': String(comeAgainSeconds) });
    running += 1;
    try {
      await answer(call);
    } finally {
      running -= 1;
    }
  };
}
