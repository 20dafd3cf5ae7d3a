import type { UserEvent } from '@testing-library/user-event';

/**
 * Puts a text behind what is in a field, in one go as by pasting: each key would draw the page for itself. Where a test
 * is about keys, it types.
 */
export async function putIn(user: UserEvent, field: Element, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
