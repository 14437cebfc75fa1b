import { parentPort, workerData } from 'node:worker_threads'
import { copySqliteFile, openSqliteReader, type SqliteFile } from './connection.ts'
import type { WorkerAnswer, WorkerTask } from './worker.ts'

/** Rows of one heavy read. What may be longer is read in pages. */
const MAX_ROWS = 50_000

const { path } = workerData as { path: string } // worker.ts gives it, and nobody else starts this file
let file: SqliteFile | undefined

function run(task: WorkerTask): unknown {
  if (task.kind === 'backup') return copySqliteFile(path, task.to)
  file ??= openSqliteReader(path)
  if (task.kind === 'read') return file.prepare(task.sql).atMost(MAX_ROWS, task.parameters)
  file.execute('pragma wal_checkpoint(passive)') // waits for the disk twice: first for the log, then for the database
  return undefined
}

function answerTo(task: WorkerTask): WorkerAnswer {
  try {
    return { result: run(task) }
  } catch (error) {
    // Structured clone keeps the message and the stack of an error, and drops its codes.
    return { error, codes: { ...(error instanceof Error && error) } }
  }
}

parentPort?.on('message', (task: WorkerTask | 'close') => {
  if (task !== 'close') return parentPort?.postMessage(answerTo(task))
  file?.close()
  parentPort?.close()
})
