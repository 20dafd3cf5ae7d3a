/**
 * A Node program that does nothing until it is ended: for how long it stands still is what the machine does to every
 * one.
 */
setInterval(() => {}, 3_600_000);
process.stdout.write('ready\n');
