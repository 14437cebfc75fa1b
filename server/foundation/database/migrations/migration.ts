import type { Engine } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'

/** One step of the schema. Once released it is never edited: its checksum is kept in each database it made. */
export type Migration = {
  version: number
  name: string
  statements(engine: Engine): string[]
  /** What depends on what the database holds; after the statements, and no part of the checksum. */
  finish?(trx: Transaction, engine: Engine): Promise<void>
}
