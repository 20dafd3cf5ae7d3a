import type { KeyboardEvent } from 'react';

/**
 * For a box of one's own: the browser presses it again and again while Enter is held, and each press takes back the one
 * before.
 */
export function pressedOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
