/**
 * A Node program that does nothing until it is ended: its stalls are those that the machine causes in every program.
 */
setInterval(() => {}, 3_600_000);
process.stdout.write('ready\n');
