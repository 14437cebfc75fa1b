import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** By what a session began. Whether one from before began with an invitation is not known. */
export const sessionProofs: Migration = {
  version: 61,
  name: '061-session-proofs',
  statements: engine => [`alter table "sessions" add column "proof" ${TEXT[engine]} not null default 'password'`],
}
