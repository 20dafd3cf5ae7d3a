/**
 * What this room needs of `node:http`. It is not imported: all of the module would be asked for, its WebSocket too, for
 * which Node reads a client that nobody uses. That took a tenth of the program's start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
