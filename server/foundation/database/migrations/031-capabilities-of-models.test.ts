import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

const before = MIGRATIONS.filter(({ version }) => version < 31)

eachStorage((_, storage) => {
  test('what was typed of picked models is set, what was learned stays, and web accounts take what they took', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(open, before)
      const { database, engine } = open
      const run = (statement: string) => sql.raw(statement).execute(database)
      const [yes, no] = engine === 'sqlite' ? ['1', '0'] : ['true', 'false']
      await run(`insert into upstreams (id, source, label, create_time, models_picked) values (90, 'openai_api', 'picked', 1, ${yes}),
        (91, 'openai_api', 'listed', 1, ${no})`)
      await run(`insert into upstream_models (upstream_id, code, name, context_length, position, offered) values
        (90, 'mine', 'a', 4096, 0, ${yes}), (90, 'b', 'b', null, 1, ${no}), (91, 'a', 'a', 8192, 0, ${yes})`)
      await run(`insert into learned_contexts (upstream_id, model_name, address_digest, tokens, update_time) values
        (90, 'a', 'digest', 1000, 5), (91, 'gone', 'digest', 2000, 6)`)
      await migrate(open)
      const models = await database
        .selectFrom('upstream_models')
        .select([
          'code',
          'name',
          'context_length',
          'set_capabilities',
          'learned_context_length',
          'learned_time',
          'listed',
        ])
        .where('upstream_id', '>=', 90)
        .orderBy('upstream_id')
        .orderBy('position')
        .execute()
      const rest = { context_length: null, set_capabilities: null, learned_context_length: null, learned_time: null }
      expect(models).toEqual([
        {
          ...{ ...rest, code: 'mine', name: 'a', listed: true, set_capabilities: { context_length: 4096 } },
          ...{ learned_context_length: 1000, learned_time: 5 },
        },
        { ...rest, code: 'b', name: 'b', listed: true },
        { ...rest, code: 'a', name: 'a', listed: true, context_length: 8192 },
        { ...rest, code: '#gone', name: 'gone', listed: false, learned_context_length: 2000, learned_time: 6 },
      ])
      const ofWeb = await database
        .selectFrom('upstream_models')
        .innerJoin('upstreams', 'upstreams.id', 'upstream_models.upstream_id')
        .select(['code', 'set_capabilities', 'offered'])
        .where('source', '=', 'openai_web')
        .orderBy('code')
        .execute()
      expect(ofWeb).toEqual([
        { code: 'gpt_4', set_capabilities: { takes_pictures: true, takes_files: true }, offered: false },
        { code: 'gpt_4_code_interpreter', set_capabilities: { takes_files: true }, offered: false },
      ])
    } finally {
      await open.close()
    }
  })
})
