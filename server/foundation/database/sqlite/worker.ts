import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../refusal.ts'

export type WorkerTask =
  | { kind: 'checkpoint' }
  | { kind: 'read'; sql: string; parameters: readonly unknown[] }
  | { kind: 'backup'; to: string }

export type WorkerAnswer = { result: unknown } | { error: unknown; codes: object }

export type SqliteWorker = ReturnType<typeof openWorker>

/** Megabytes of the worker's heap. A read that needs more ends the worker, not the server. */
const MAX_MEMORY = 256

/**
 * One worker thread for what takes long: checkpoints, heavy reads, backups, one task at a time. It starts with the
 * first task. When it dies, the task at hand fails and the next one starts it again. It keeps the process alive only
 * while it works.
 */
export function openWorker(path: string) {
  let worker: Worker | null = null
  let queue: Promise<unknown> = Promise.resolve()

  function started(): Worker {
    const thread = startThread(path)
    // It may also die between two tasks: a task that is given to a dead thread is never answered.
    return thread.on('exit', () => {
      if (worker === thread) worker = null
    })
  }

  async function run(task: WorkerTask, longest: number): Promise<unknown> {
    const thread = (worker ??= started())
    thread.ref()
    const answer = await answerOf(thread, task, longest).catch((error: unknown) => {
      worker = null
      // It may still be inside a query, which nothing can interrupt; then it ends as soon as SQLite returns.
      void thread.terminate()
      throw error
    })
    thread.unref()
    if ('result' in answer) return answer.result
    throw answer.error instanceof Error ? Object.assign(answer.error, answer.codes) : answer.error
  }

  return {
    /** A task that waits, or runs, for more than `longest` milliseconds is refused. */
    async run(task: WorkerTask, longest = Infinity): Promise<unknown> {
      const latest = performance.now() + longest
      const done = queue.then(() => {
        if (performance.now() > latest) throw new Refusal('timeout')
        return run(task, longest)
      })
      queue = done.catch(() => undefined)
      return done
    },
    /** Waits for the tasks that were given before. */
    async close(): Promise<void> {
      await queue
      if (worker === null) return
      const { promise, resolve } = Promise.withResolvers<void>()
      worker.ref()
      worker.once('exit', () => resolve())
      worker.postMessage('close')
      worker = null
      await promise
    },
  }
}

function startThread(path: string): Worker {
  // Beside this file and of its kind, also where the server was bundled (scripts/buildServer.ts).
  const url = new URL(`./workerThread${extname(import.meta.filename)}`, import.meta.url)
  const thread = new Worker(url, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY } })
  thread.on('error', () => undefined) // reported by the task at hand, if there is one
  return thread
}

async function answerOf(thread: Worker, task: WorkerTask, longest: number): Promise<WorkerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>()
  const onExit = (code: number) => reject(new Error(`the database's worker thread has ended with ${code}`))
  const timer = longest === Infinity ? undefined : setTimeout(() => reject(new Refusal('timeout')), longest)
  thread.on('message', resolve).on('error', reject).on('exit', onExit)
  try {
    thread.postMessage(task)
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', reject).off('exit', onExit)
  }
}
