/**
 * Flushes to the disk, one at a time. Whoever asks while one is on its way shares the one after it, since that may have begun too
 * early for what was written just now. Each promise says that all that was written before it was asked for is on the disk.
 */
export function coalescedSync(flush: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function begin(): Promise<void> {
    next = null
    const begun = flush()
    const over = begun
      .catch(() => undefined)
      .then(() => {
        if (running === over) running = null
      })
    running = over
    return begun
  }

  return () => {
    if (next !== null) return next
    if (running === null) return begin()
    next = running.then(begin)
    return next
  }
}
