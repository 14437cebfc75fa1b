import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** In which dialects requests of other tools may be passed on to an upstream. */
export const dialectsMigration: Migration = {
  version: 57,
  name: '057-dialects',
  statements: engine => [`alter table "upstreams" add column "dialects" ${TEXT[engine]}`],
}
