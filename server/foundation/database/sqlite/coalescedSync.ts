/**
 * Coalesced fsync: one runs at a time, and all who ask meanwhile share the next one, since the running one may have started before their
 * writes. Each promise says that what was written before the call is on the disk.
 */
export function coalescedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    next = null
    const started = sync()
    const ended = started
      .catch(() => undefined)
      .then(() => {
        if (running === ended) running = null
      })
    running = ended
    return started
  }

  return () => {
    if (next !== null) return next
    if (running === null) return start()
    next = running.then(start)
    return next
  }
}
