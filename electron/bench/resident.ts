/** The most this process ever had in memory, in MiB; Node gives it in KiB. */
export const residentMiB = (): number => process.resourceUsage().maxRSS / 1024;
