import { configure, getConfig, prettyDOM } from '@testing-library/react';

/**
 * A look that finds nothing draws the whole page into its message, and what is waited for is looked for at every change
 * of the page: of those looks only the last one draws it here, whose message is shown.
 */
configure({ getElementError: missed });

/** Every engine that runs these tests has it; the types of pages leave it out. */
const errors: ErrorConstructor & { captureStackTrace?: (error: Error, below: unknown) => void } = Error;

function missed(message: string | null, container: Element): Error {
  const page = isWaiting()
    ? undefined
    : `Ignored nodes: comments, ${getConfig().defaultIgnore}\n${prettyDOM(container)}`;
  const error = Object.assign(new Error([message, page].filter(Boolean).join('\n\n')), {
    name: 'TestingLibraryElementError',
  });
  // The line that is shown is the test's.
  errors.captureStackTrace?.(error, missed);
  return error;
}

/** The library keeps it among its options, where its types leave it out. */
function isWaiting(): boolean {
  return Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;
}
