// Loaded into each measured process before its own code (node --import): reports what the process has used so far.
/** Microseconds of CPU since the start, and bytes of memory. */
export type Usage = { cpu_us: number; rss: number }

/** `settled` collects garbage first, so that only memory in use is counted. */
export type UsageQuestion = { usage: number; settled: boolean }
export type UsageAnswer = Usage & { usage: number }

process.on('message', ({ usage, settled }: UsageQuestion) => {
  if (settled) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ usage, cpu_us: user + system, rss: process.memoryUsage.rss() } satisfies UsageAnswer)
})
// The open channel must not keep the process alive.
process.channel?.unref()
