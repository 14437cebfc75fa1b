import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { writeBeside } from '../../writeBeside.ts'
import { reasonOf } from '../unusable.ts'

/** Copies a SQLite database to a new file while it is being used and written to. There is no incomplete copy under that name. */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  try {
    await writeBeside(to, beside => copyInWorker(from, beside))
  } catch (cause) {
    throw new Error(`the backup to ${to} failed: ${reasonOf(cause)}`, { cause })
  }
}

function copyInWorker(from: string, to: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Beside this file and of its kind, also where the server was built into few (decision 026).
  const worker = new Worker(new URL(`./backupWorker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { from, to },
  })
  worker.once('error', reject)
  worker.once('exit', code => (code === 0 ? resolve() : reject(new Error(`its thread ended with ${code}`))))
  return promise
}
