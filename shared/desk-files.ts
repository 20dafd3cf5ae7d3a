/**
 * In the data directory while a desk is open on it: what lets commands in, and where they talk to it. They are no data.
 */
export const deskKeyName = 'desk.key';
export const deskSocketName = 'desk.sock';
