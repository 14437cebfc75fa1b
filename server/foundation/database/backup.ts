import { chmod, open, rm } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { reasonOf } from './unusable.ts'

/** Copies a SQLite database to a new file while it is being used and written to. An incomplete copy is deleted. */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  // Made here and empty, so that it is never readable by others and never written over something.
  await (await open(to, 'wx', 0o600)).close()
  try {
    await copyInWorker(from, to)
    await chmod(to, 0o600)
    await flush(to)
    await flush(dirname(to))
  } catch (cause) {
    await rm(to, { force: true })
    throw new Error(`the backup to ${to} failed: ${reasonOf(cause)}`, { cause })
  }
}

function copyInWorker(from: string, to: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Beside this file and of its kind, also where the server was built into few (decision 026).
  const worker = new Worker(new URL(`./backupWorker${extname(import.meta.filename)}`, import.meta.url), { workerData: { from, to } })
  worker.once('error', reject)
  worker.once('exit', code => (code === 0 ? resolve() : reject(new Error(`its thread ended with ${code}`))))
  return promise
}

/** VACUUM INTO does not wait for the disk. */
async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}
