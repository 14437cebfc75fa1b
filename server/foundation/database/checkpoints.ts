import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CHECKPOINTER } from './sqlite.ts'

/** Commits, each of which waited for the disk, between two checkpoints. */
const EVERY = 40

/** Runs SQLite's checkpoints in a thread of their own: one waits for the disk twice, and would block everything else. */
export function checkpoints(path: string) {
  let worker: Worker | null = null
  let isMoving = false
  let written = 0

  function start(): Worker {
    const started = new Worker(CHECKPOINTER, { eval: true, workerData: path })
    started.on('message', () => { isMoving = false })
    // The next checkpoint starts a new thread. If none ever succeeds, the connection checkpoints by itself when the log has grown long (sqlite.ts).
    started.on('error', () => {
      worker = null
      isMoving = false
    })
    started.unref()
    return started
  }

  return {
    /** To be called after each commit. */
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
