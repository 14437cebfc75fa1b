import { workerData } from 'node:worker_threads'
import { copySqliteFile } from './connection.ts'

const { from, to } = workerData as { from: string; to: string } // given by backup.ts and nobody else
copySqliteFile(from, to)
