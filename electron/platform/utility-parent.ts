import { openUtilityChannel } from './utility-channel.ts';

// Imported first by an entry's twin: the entry must find its channel when it is loaded.
openUtilityChannel(process.parentPort, process, {
  message: (value) => process.emit('message', value, undefined),
  disconnect: () => process.emit('disconnect'),
});
