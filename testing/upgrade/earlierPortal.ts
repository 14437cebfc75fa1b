import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import { emptyFolder } from '../dataFolder.ts'
import type { DatabaseName } from '../database.ts'
import { command } from '../postgresqlTemplate.ts'

type UnfinishedAsk = { ask_id: string; conversation_id: string; question_id: string }

export type EarlierPortal = {
  data_dir: string
  /** Epoch milliseconds. When its process was killed. */
  time: number
  /** The people, with the sessions they had. */
  people: Record<'admin' | 'lin' | 'mei' | 'tan', { id: number; cookie: string }>
  file: { path: string; text: string }
  left_behind: Record<'running' | 'waiting' | 'own', UnfinishedAsk>
  /** The answers of that version about its data. */
  answers: { as: 'admin' | 'lin' | 'mei' | 'tan'; path: string; answer: unknown }[]
}

const FOLDERS: Record<DatabaseName, string> = { SQLite: 'sqlite', PostgreSQL: 'postgresql' }

/** Puts the portal of README.md at an empty place; with its search index complete, or half made. */
export async function earlierPortal(
  name: DatabaseName,
  storage: DatabaseStorage,
  search: 'whole' | 'halfway' = 'whole',
): Promise<EarlierPortal> {
  const folder = join(import.meta.dirname, FOLDERS[name])
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const data_dir = 'data_dir' in storage ? storage.data_dir : await emptyFolder()
  for (const part of ['secret.key', 'uploads']) cpSync(join(folder, part), join(data_dir, part), { recursive: true })
  const script =
    search === 'whole'
      ? read('schema.sql') + read('whole.sql') + read('rows.sql')
      : read('schema.sql') + read('rows.sql') + read('halfway.sql')
  if ('database_url' in storage) await command(storage.database_url, script)
  else writeSqlite(join(data_dir, 'commons.sqlite'), script)
  const facts = JSON.parse(read('facts.json')) as Omit<EarlierPortal, 'data_dir' | 'answers'> // written once, and by us
  const answers = read('answers.jsonl').trim().split('\n')
  return { ...facts, data_dir, answers: answers.map(line => JSON.parse(line) as EarlierPortal['answers'][number]) }
}

function writeSqlite(path: string, script: string): void {
  const database = new DatabaseSync(path)
  database.exec(script)
  database.close()
}
