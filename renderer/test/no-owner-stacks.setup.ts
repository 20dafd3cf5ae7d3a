import React from 'react';

/**
 * React in development takes a stack of calls for every element it makes, for the text of its own warnings: a tenth of
 * the tests' time. With its counter at the limit, it takes none; if a later React counts otherwise, tests are slower
 * and nothing else.
 */
const counted: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
const mostTaken = 10_000;
if (typeof counted === 'object' && counted !== null)
  Object.defineProperty(counted, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => mostTaken,
    set: () => {},
  });
