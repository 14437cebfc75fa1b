import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import {
  openDatabase,
  type DatabaseStorage,
  type OnStatement,
  type OpenDatabase,
} from '#server/foundation/database/open.ts'
import { copyTemplate, dropDatabase, emptyDatabase } from './postgresqlTemplate.ts'
import { copySqliteTemplate } from './sqliteTemplate.ts'
import type {} from './globalSetup.ts' // declares the type of what is injected

export type DatabaseName = 'SQLite' | 'PostgreSQL'

/** Cleanup at the end of the block, in reverse order. */
type Undo = (() => Promise<void>)[]

/**
 * Describes the same tests on both databases. Each `open()` returns a fresh, migrated one; all are closed and removed
 * after the last test of the block.
 */
export function eachDatabase(define: (name: DatabaseName, open: () => Promise<OpenDatabase>) => void): void {
  describeEach((name, storage, undo) =>
    define(name, async () => {
      const open = await openDatabase(await storage())
      undo.push(() => open.close())
      return open
    }),
  )
}

/** The same for code that opens and closes the database itself, as the whole program does. */
export function eachStorage(define: (name: DatabaseName, storage: NewStorage) => void): void {
  describeEach(define)
}

/** Where a database can be opened: a migrated one, unless it is to be empty. */
export type NewStorage = (kind?: 'migrated' | 'empty') => Promise<DatabaseStorage>

/** A fresh, migrated SQLite database for one test, where both databases behave alike. */
export async function aDatabase(onStatement?: OnStatement): Promise<OpenDatabase> {
  const undo: Undo = []
  onTestFinished(() => undoAll(undo))
  const open = await openDatabase(await sqliteStorage(undo, 'migrated'), { onStatement })
  undo.push(() => open.close())
  return open
}

/** A fresh, migrated PostgreSQL database for one test of what only PostgreSQL does. */
export async function aPostgresql(): Promise<OpenDatabase> {
  const open = await openDatabase({ database_url: await aPostgresqlAddress() })
  onTestFinished(() => open.close())
  return open
}

/** The URL of such a database, which the test opens itself. */
export async function aPostgresqlAddress(): Promise<string> {
  const template = inject('postgresql')
  const url = await copyTemplate(template)
  onTestFinished(() => dropDatabase(template, url))
  return url
}

function describeEach(define: (name: DatabaseName, storage: NewStorage, undo: Undo) => void): void {
  for (const name of ['SQLite', 'PostgreSQL'] as const) {
    describe(name, () => {
      const undo: Undo = []
      afterAll(() => undoAll(undo))
      define(
        name,
        (kind = 'migrated') => (name === 'SQLite' ? sqliteStorage(undo, kind) : postgresqlStorage(undo, kind)),
        undo,
      )
    })
  }
}

async function undoAll(undo: Undo): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each()
}

async function sqliteStorage(undo: Undo, kind: 'migrated' | 'empty'): Promise<DatabaseStorage> {
  const data_dir = await mkdtemp(join(tmpdir(), 'commons-test-'))
  undo.push(() => rm(data_dir, { recursive: true, force: true }))
  if (kind === 'migrated') copySqliteTemplate(inject('sqlite'), data_dir)
  return { data_dir }
}

async function postgresqlStorage(undo: Undo, kind: 'migrated' | 'empty'): Promise<DatabaseStorage> {
  const template = inject('postgresql')
  const database_url = await (kind === 'empty' ? emptyDatabase(template) : copyTemplate(template))
  undo.push(() => dropDatabase(template, database_url))
  return { database_url }
}
