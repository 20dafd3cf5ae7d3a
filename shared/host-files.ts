/** In the data directory while it is open: the key that admits commands, and the socket they use. They are no data. */
export const hostKeyName = 'desk.key';
export const hostSocketName = 'desk.sock';
