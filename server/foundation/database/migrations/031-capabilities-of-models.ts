import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/**
 * What models take and can is kept beside them: what their upstream says, what an administrator set, and what was learned of refusals. The
 * context lengths of picked models were typed, so they are set. Of the web accounts everybody knew which models take files and pictures.
 */
export const capabilitiesOfModels: Migration = {
  version: 31,
  name: '031-capabilities-of-models',
  statements: engine => [
    ...COLUMNS[engine].map(column => `alter table "upstream_models" add column ${column}`),
    `update upstream_models set set_capabilities = '{"context_length":' || context_length || '}', context_length = null
      where context_length is not null and upstream_id in (select id from upstreams where models_picked)`,
    `update upstream_models set learned_context_length = learned.tokens, learned_digest = learned.address_digest,
      learned_time = learned.update_time from learned_contexts learned
      where learned.upstream_id = upstream_models.upstream_id and learned.model_name = upstream_models.name`,
    `insert into upstream_models (upstream_id, code, name, position, offered, listed, learned_context_length, learned_digest, learned_time)
      select upstream_id, '#' || model_name, model_name, 1000000, ${no[engine]}, ${no[engine]}, tokens, address_digest, update_time
      from learned_contexts learned where not exists (select 1 from upstream_models known
        where known.upstream_id = learned.upstream_id and known.name = learned.model_name)`,
    'drop table learned_contexts',
    ofWebAccounts(engine, 'gpt_4', 'gpt-4', '{"takes_pictures":true,"takes_files":true}'),
    ofWebAccounts(engine, 'gpt_4_code_interpreter', 'gpt-4-code-interpreter', '{"takes_files":true}'),
  ],
}

const no: Record<Engine, string> = { sqlite: '0', postgresql: 'false' }

const bool = (name: string) => `"${name}" integer check ("${name}" in (0, 1))`

const COLUMNS: Record<Engine, readonly string[]> = {
  sqlite: [
    bool('takes_pictures'),
    bool('takes_files'),
    bool('uses_tools'),
    '"thinking_levels" text',
    '"set_capabilities" text',
    '"request_fields" text',
    '"learned_context_length" integer',
    '"learned_digest" text',
    '"learned_time" integer',
    '"listed" integer not null default 1 check ("listed" in (0, 1))',
  ],
  postgresql: [
    '"takes_pictures" boolean',
    '"takes_files" boolean',
    '"uses_tools" boolean',
    '"thinking_levels" text',
    '"set_capabilities" text',
    '"request_fields" text',
    '"learned_context_length" bigint',
    '"learned_digest" text collate "C"',
    '"learned_time" bigint',
    '"listed" boolean not null default true',
  ],
}

const ofWebAccounts = (engine: Engine, code: string, name: string, set: string) =>
  `insert into upstream_models (upstream_id, code, name, position, offered, listed, set_capabilities)
    select id, '${code}', '${name}', 1000000, ${no[engine]}, ${no[engine]}, '${set}' from upstreams
    where source = 'openai_web' and user_id is null and not exists (select 1 from upstream_models known
      where known.upstream_id = upstreams.id and known.code = '${code}')`
