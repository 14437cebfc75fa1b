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

/** Columns of tables as migrations made them: what a table becomes later is another migration's. */
export const text = { kind: 'text' } as const
export const int = { kind: 'int' } as const
export const ms = { kind: 'ms' } as const
export const bool = { kind: 'bool' } as const
export const json = { kind: 'json' } as const
export const nullable = {
  text: { ...text, nullable: true },
  int: { ...int, nullable: true },
  real: { kind: 'real', nullable: true },
  ms: { ...ms, nullable: true },
  bool: { ...bool, nullable: true },
  json: { ...json, nullable: true },
} as const
export const ownUser = { ...int, references: 'users.id', onDelete: 'cascade' } as const

export const ofUpstream = { ...int, references: 'upstreams.id', onDelete: 'cascade' } as const
export const ofConversation = { ...text, references: 'conversations.conversation_id', onDelete: 'cascade' } as const

export const yes: Record<Engine, string> = { sqlite: '1', postgresql: 'true' }
export const no: Record<Engine, string> = { sqlite: '0', postgresql: 'false' }
