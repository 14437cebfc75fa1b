// Loaded into every measured process before its own code (node --import): it tells what the process has used so far.
/** Microseconds of CPU since the start, and bytes of memory. */
export type Usage = { cpu_us: number; rss: number }

/** `settled` asks for a collection first, so that what is counted is held and not merely not yet swept. */
export type UsageQuestion = { usage: number; settled: boolean }
export type UsageAnswer = Usage & { usage: number }

process.on('message', ({ usage, settled }: UsageQuestion) => {
  if (settled) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ usage, cpu_us: user + system, rss: process.memoryUsage.rss() } satisfies UsageAnswer)
})
// Being asked is no reason to stay alive.
process.channel?.unref()
