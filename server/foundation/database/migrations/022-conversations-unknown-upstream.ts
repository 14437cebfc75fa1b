import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/**
 * What an upstream does not know is no longer taken from its owner. The earlier rule hid such conversations with a time and without a person:
 * they are listed again, and can be read. What a person hid stays hidden, and so does what earlier versions hid without a time.
 */
export const conversationsUnknownUpstream: Migration = {
  version: 22,
  name: '022-conversations-unknown-upstream',
  statements: engine => [
    ...['gone_upstream_time', 'gizmo_refused_time'].map(
      name => `alter table conversations add column ${name} ${integer[engine]}`,
    ),
    `update conversations set is_valid = ${yes[engine]}, gone_upstream_time = hide_time, hide_time = null
     where is_valid = ${no[engine]} and hide_time is not null and hidden_by is null and deletion_id is null
     and source = 'openai_web' and upstream_conversation_id is not null`,
  ],
}

const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const yes: Record<Engine, string> = { sqlite: '1', postgresql: 'true' }
const no: Record<Engine, string> = { sqlite: '0', postgresql: 'false' }
