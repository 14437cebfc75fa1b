import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { settingsOfUpstreams } from './settingsView/settings.ts'
import { openUpstreams } from './upstreams.ts'

const SIMULATOR = 'http://127.0.0.1:4711/v1/'
const SIMULATOR_WEB = 'http://127.0.0.1:4711/web/'
const box = { seal: (text: string) => text, open: (sealed: string) => sealed }

/** The upstreams of a process, with what it is asked for. */
async function opened(open: OpenDatabase, { key = null, env = {} }: { key?: string | null; env?: object } = {}) {
  const bus = await openBus(open)
  const clock = testClock()
  const configuration = await openConfiguration(readStartConfiguration({ ...env }), open, bus, settingsOfUpstreams)
  const upstreams = await openUpstreams({
    open,
    bus,
    clock,
    log: pino({ level: 'silent' }),
    secretBox: box,
    configuration,
    credentials: { openai_api_key: key, openai_web_access_token: null },
    demonstrationUrls: { openai_api: SIMULATOR, openai_web: SIMULATOR_WEB },
    env: {},
  })
  onTestFinished(async () => {
    await upstreams.close()
    configuration.close()
    await bus.close()
  })
  return { upstreams, clock }
}

/** Stores a further endpoint that lists these models; gives its id. */
async function stored({ database }: OpenDatabase, label: string, models: readonly string[], fields: object = {}) {
  const address = { base_url: `http://${label}.example.org/v1`, models_digest: null }
  const { id } = await database
    .insertInto('upstreams')
    .values({ source: 'openai_api', label, create_time: 1, models_picked: true, ...address, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [position, name] of models.entries())
    await database
      .insertInto('upstream_models')
      .values({ upstream_id: id, code: name, name, position, offered: true })
      .execute()
  return id
}

eachDatabase((_, open) => {
  describe('the upstream of the settings', () => {
    test('is asked by the name it has for a model, and for no model without one', async () => {
      const env = {
        COMMONS_OPENAI_API_MODEL_CODE_MAPPING: '{"gpt_4":"gpt-4o"}',
        COMMONS_OPENAI_API_FURTHER_MODELS: '[{"code":"local","label":"Local","upstream_name":"qwen2.5:7b"}]',
      }
      const { upstreams } = await opened(await open(), { env })
      const nameOf = (code: string) => upstreams.endpoint(upstreams.ofSettings('openai_api'), code, null).model_name
      expect(['gpt_4', 'gpt_3_5', 'local'].map(nameOf)).toEqual(['gpt-4o', 'gpt-3.5-turbo', 'qwen2.5:7b'])
      for (const code of ['else', 'constructor', '__proto__']) expect(() => nameOf(code)).toThrow('modelNotEnabled')
    })
    test('is the demonstration until there is a key, an address or another endpoint', async () => {
      const opened_ = await open()
      const demonstration = await opened(opened_)
      expect(demonstration.upstreams.isDemonstration()).toBe(true)
      expect((await opened(opened_, { key: 'sk-1' })).upstreams.isDemonstration()).toBe(false)
      await stored(opened_, 'further', ['gpt-4'])
      await demonstration.upstreams.snapshot.reload()
      expect(demonstration.upstreams.isDemonstration()).toBe(false)
      expect(demonstration.upstreams.serving('openai_api', 'gpt_3_5')).toEqual([])
    })
    test('of the web service is demonstrated too, as long as there is nothing else and nobody switched it off', async () => {
      const opened_ = await open()
      const demonstration = await opened(opened_)
      const { openai_web } = demonstration.upstreams.configuration()
      expect(openai_web.enabled).toBe(true)
      expect(openai_web.enabled_models).toContain('gpt_4_code_interpreter')
      expect(demonstration.upstreams.reach(demonstration.upstreams.ofSettings('openai_web'))).toMatchObject({
        base_url: SIMULATOR_WEB,
      })
      for (const others of [{ key: 'sk-1' }, { env: { COMMONS_OPENAI_WEB_ENABLED: 'false' } }])
        expect((await opened(opened_, others)).upstreams.configuration().openai_web.enabled).toBe(false)
      await stored(opened_, 'further', ['gpt-4'])
      await demonstration.upstreams.snapshot.reload()
      expect(demonstration.upstreams.configuration().openai_web.enabled).toBe(false)
    })
  })

  describe('the upstreams that serve a model', () => {
    test('are those that have it, in their order, and neither paused nor switched off', async () => {
      const database = await open()
      const second = await stored(database, 'second', ['gpt-4', 'mistral'])
      await stored(database, 'paused', ['gpt-4'], { paused_since: 1 })
      await stored(database, 'off', ['gpt-4'], { enabled: false })
      const { upstreams } = await opened(database, { key: 'sk-1' })
      const { id: first } = upstreams.ofSettings('openai_api')
      const serving = (code: string) => upstreams.serving('openai_api', code).map(({ id }) => id)
      expect([serving('gpt_4'), serving('mistral'), serving('gpt_3_5')]).toEqual([[first, second], [second], [first]])
      const further = upstreams.serving('openai_api', 'mistral')[0]!
      expect(upstreams.endpoint(further, 'mistral', null)).toMatchObject({
        base_url: 'http://second.example.org/v1',
        model_name: 'mistral',
      })
      expect(() => upstreams.endpoint(further, 'gpt_3_5', null)).toThrow('modelNotEnabled')
    })
    test('of the web service are all accounts of it', async () => {
      const database = await open()
      const { id: second } = await database.database
        .insertInto('upstreams')
        .values({ source: 'openai_web', label: 'second', create_time: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { upstreams } = await opened(database, { key: 'sk-1' })
      const found = upstreams.serving('openai_web', 'gpt_4').map(({ id }) => id)
      expect(found).toEqual([upstreams.ofSettings('openai_web').id, second])
    })
  })

  describe('an upstream', () => {
    test('has the concurrency of its row, else that of the settings', async () => {
      const database = await open()
      const own = await stored(database, 'own', [], { concurrency: 3 })
      const like = await stored(database, 'like', [])
      const { upstreams } = await opened(database, { env: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '7' } })
      expect([own, like].map(id => upstreams.find(id)?.concurrency)).toEqual([3, 7])
      expect(upstreams.ofSettings('openai_api').concurrency).toBe(7)
    })
    test('is not asked when it is gone', async () => {
      const database = await open()
      const id = await stored(database, 'gone', ['mistral'])
      const { upstreams } = await opened(database)
      const gone = upstreams.find(id)!
      await database.database.deleteFrom('upstreams').where('id', '=', id).execute()
      await upstreams.snapshot.reload()
      expect(upstreams.find(id)).toBe(null)
      expect(() => upstreams.endpoint(gone, 'mistral', null)).toThrow()
    })
    test('is as others have found it, in every process', async () => {
      const database = await open()
      const [one, other] = [await opened(database), await opened(database)]
      const { id } = one.upstreams.ofSettings('openai_api')
      const changed = Promise.withResolvers<void>()
      one.upstreams.onChange(changed.resolve)
      one.upstreams.report(id, new Refusal('openai.429', { retry_after_seconds: 90 }))
      await changed.promise
      const cooling = { state: 'cooling', until: one.clock.now() + 90_000, reason: 'openai.429' }
      expect(one.upstreams.find(id)?.health).toMatchObject(cooling)
      await one.upstreams.close()
      await other.upstreams.snapshot.reload()
      expect(other.upstreams.find(id)?.health).toMatchObject(cooling)
      other.upstreams.report(id, 'answered')
      expect(other.upstreams.find(id)?.health).toEqual({ state: 'normal' })
    })
    test('that needs attention is tried once a minute', async () => {
      const { upstreams, clock } = await opened(await open())
      const { id } = upstreams.ofSettings('openai_api')
      upstreams.report(id, new Refusal('openai.401'))
      clock.pass(60_000)
      upstreams.noteAsked(id)
      expect(upstreams.find(id)?.health).toMatchObject({ state: 'attention', next_try: clock.now() + 60_000 })
    })
    test('of a person affects nobody else', async () => {
      const { upstreams } = await opened(await open())
      const own = upstreams.ofUser(
        { upstream_id: 99, url: 'https://own.example.org/v1', key: null, isUnreadable: false },
        7,
      )
      upstreams.report(own.id, new Refusal('openai.401'))
      expect(own).toMatchObject({ id: 99, user_id: 7, isDemonstration: false, health: { state: 'normal' } })
      expect(upstreams.shared('openai_api').map(({ health }) => health)).toEqual([{ state: 'normal' }])
    })
  })
})
