import { describe, expect, onTestFinished, test } from 'vitest'
import { openConfiguration } from '#server/configuration/configuration.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { forgetWhoSetUpstreams, upstreamStore } from '../store.ts'
import { settingsOfUpstreams } from './settings.ts'
import { rowOfSettings } from '../settingsView.ts'

const [SUE, LI] = [3, 4]
const ADDRESS = 'https://one.example.org/v1/'

async function opened(open: OpenDatabase, environment: NodeJS.ProcessEnv = {}) {
  const bus = await openBus(open)
  const configuration = await openConfiguration(readStartConfiguration(environment), open, bus, settingsOfUpstreams)
  onTestFinished(async () => {
    configuration.close()
    await bus.close()
  })
  const row = async (source: 'openai_api' | 'openai_web' = 'openai_api') =>
    rowOfSettings(await upstreamStore(open.database).listShared(), source)
  return { configuration, row }
}

eachDatabase((_name, open) => {
  describe('a setting of an account', () => {
    test('is the value of its row, which says who set it', async () => {
      const database = await open()
      const { configuration, row } = await opened(database)
      await configuration.store({ openai_api: { openai_base_url: ADDRESS, max_completion_concurrency: 4 } }, SUE)
      await configuration.store({ openai_api: { max_completion_concurrency: 5 } }, LI)
      expect(await row()).toMatchObject({
        ...{ base_url: ADDRESS, concurrency: 5 },
        values_set: { base_url: { by: SUE }, concurrency: { by: LI } },
      })
      expect(await database.database.selectFrom('stored_settings').selectAll().execute()).toEqual([])
      await upstreamStore(database.database).change((await row()).id, { concurrency: 6 })
      const again = await opened(database)
      expect(again.configuration.current().openai_api.max_completion_concurrency).toBe(6)
    })
    test('that is nothing is another one than the default', async () => {
      const { configuration, row } = await opened(await open())
      expect(configuration.current().openai_web.shared_limit).toBe(50)
      await configuration.store({ openai_web: { shared_limit: null } }, SUE)
      expect(configuration.current().openai_web.shared_limit).toBe(null)
      expect(configuration.originOf('openai_web.shared_limit')).toBe('stored')
      await configuration.store({ _reset: ['openai_web.shared_limit'] }, SUE)
      expect(configuration.current().openai_web.shared_limit).toBe(50)
      expect(await row('openai_web')).toMatchObject({ shared_limit: null, values_set: {} })
    })
    test('of the environment is in no row, and leaves what the row has as it is', async () => {
      const database = await open()
      const before = await opened(database)
      await before.configuration.store({ openai_api: { openai_base_url: ADDRESS } }, SUE)
      const env = { OPENAI_BASE_URL: 'https://of.environment.example.org/v1/' }
      const { configuration, row } = await opened(database, env)
      expect(configuration.current().openai_api.openai_base_url).toBe(env.OPENAI_BASE_URL)
      await configuration.store({ openai_api: { ...configuration.current().openai_api, shared_limit: 9 } }, SUE)
      await expect(
        configuration.store({ openai_api: { openai_base_url: 'https://else.example.org/' } }, SUE),
      ).rejects.toThrow('configurationWrong')
      expect(await row()).toMatchObject({ base_url: ADDRESS, shared_limit: 9 })
      expect((await opened(database)).configuration.current().openai_api.openai_base_url).toBe(ADDRESS)
    })
    test('forgets who set it when they are forgotten, and nobody else', async () => {
      const database = await open()
      const { configuration, row } = await opened(database)
      await configuration.store({ openai_api: { openai_base_url: ADDRESS } }, SUE)
      await configuration.store({ openai_api: { shared_limit: 9 } }, LI)
      await forgetWhoSetUpstreams(database.database, SUE)
      expect((await row()).values_set).toMatchObject({ base_url: { by: null }, shared_limit: { by: LI } })
    })
  })
})
