import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LOG_MOVER } from './sqlite.ts'

/** Waits for the disk between two times that the log is moved. */
const EVERY = 40

/**
 * Moves what SQLite's log holds into the database, now and then, in a thread of its own: it waits for the disk twice, and
 * would stop everything else.
 */
export function checkpoints(path: string) {
  let worker: Worker | null = null
  let isMoving = false
  let written = 0

  function start(): Worker {
    const started = new Worker(LOG_MOVER, { eval: true, workerData: path })
    started.on('message', () => { isMoving = false })
    // It tries again; and should it never succeed, the connection itself does it when the log has grown long (sqlite.ts).
    started.on('error', () => {
      worker = null
      isMoving = false
    })
    started.unref()
    return started
  }

  return {
    /** Something has been written. */
    written(): void {
      written++
      if (written < EVERY || isMoving) return
      written = 0
      isMoving = true
      worker ??= start()
      worker.postMessage('move', [])
    },
    async close(): Promise<void> {
      if (worker === null) return
      worker.ref()
      const ended = once(worker, 'exit').catch(() => undefined) // or it has failed
      worker.postMessage('close', [])
      await ended
    },
  }
}
