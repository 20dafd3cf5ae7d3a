import type { RoomName } from '../state/rooms.ts';

/** The code of a room could not be had: the host has ended, or has a newer page by now. */
export class RoomNotLoaded extends Error {
  constructor(room: RoomName, cause: unknown) {
    super(`The view "${room}" was not loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'RoomNotLoaded';
  }
}
