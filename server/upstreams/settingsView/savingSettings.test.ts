import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConfiguration } from '#server/configuration/configuration.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { eachDatabase } from '#testing/database.ts'
import { openCredentials } from './credentials.ts'
import { openSnapshot } from '../snapshot.ts'
import { savingSettings, settingsOfUpstreams } from './settings.ts'

const [SUE, LI] = [3, 4]
const NAMES = new Map([
  [SUE, 'Sue'],
  [LI, 'Li Wei'],
])
const namesOf = async (ids: readonly number[]) => new Map([...NAMES].filter(([id]) => ids.includes(id)))
const ADDRESS = { openai_api: { openai_base_url: 'https://one.example/v1/' } }

eachDatabase((_name, open) => {
  describe('settings and credentials that are saved together', () => {
    test('are stored, the credential for the address that comes with it', async () => {
      const { save, configuration, credentials } = await opened(await open())
      await save({ ...ADDRESS, credentials: { openai_api_key: 'sk-of-one' } }, SUE)
      expect([configuration.current().openai_api.openai_base_url, credentials.inUse('openai_api_key')]).toEqual([
        'https://one.example/v1/',
        'sk-of-one',
      ])
    })
    test('are not, none of them, where one is refused', async () => {
      const { save, configuration, credentials } = await opened(await open(), {
        COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'given',
      })
      await expect(
        save({ asking: { max_queue_length: 0 }, credentials: { openai_api_key: 'sk-1' } }, SUE),
      ).rejects.toMatchObject({ detail: [{ loc: ['body', 'asking', 'max_queue_length'] }] })
      await expect(
        save({ ...ADDRESS, credentials: { openai_api_key: 'sk-1', openai_web_access_token: 'x' } }, SUE),
      ).rejects.toMatchObject({ detail: [{ loc: ['body', 'credentials', 'openai_web_access_token'] }] })
      expect([configuration.current().openai_api.openai_base_url, credentials.inUse('openai_api_key')]).toEqual([
        null,
        null,
      ])
    })
    test('are not, none of them, where somebody has changed one since it was read, who is named', async () => {
      const { save, configuration, credentials } = await opened(await open())
      const seen = () => ({
        credentials: { openai_api_key: credentials.read()._set['openai_api_key']?.changed_at ?? null },
      })
      const before = { ...seen(), portal: { name: null }, openai_api: { openai_base_url: null } }
      await save({ portal: { name: 'x' }, credentials: { openai_api_key: 'sk-of-li' } }, LI)
      const mine = { ...ADDRESS, credentials: { openai_api_key: 'sk-of-sue' } }
      await expect(save({ ...mine, portal: { name: 'y' }, expected: before }, SUE)).rejects.toMatchObject({
        key: 'configurationConflict',
        values: { settings: 'portal.name, credentials.openai_api_key', people: 'Li Wei' },
        detail: [{ loc: ['body', 'portal', 'name'] }, { loc: ['body', 'credentials', 'openai_api_key'] }],
      })
      expect([configuration.current().openai_api.openai_base_url, credentials.inUse('openai_api_key')]).toEqual([
        null,
        'sk-of-li',
      ])
      await save({ credentials: { openai_api_key: 'sk-of-sue' }, expected: seen() }, SUE)
      // Both to the same: nobody's change is lost.
      await save({ portal: { name: 'x' }, expected: before }, SUE)
      // Two who know of the same one, at once: one of them is told.
      const now = seen()
      const saves = ['sk-1', 'sk-2'].map(key => save({ credentials: { openai_api_key: key }, expected: now }, SUE))
      expect((await Promise.allSettled(saves)).map(({ status }) => status).toSorted()).toEqual([
        'fulfilled',
        'rejected',
      ])
      await expect(save({ credentials: { openai_api_key: null }, expected: now }, LI)).rejects.toMatchObject({
        key: 'configurationConflict',
      })
    })
  })
})

async function opened(open: OpenDatabase, environment: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  const bus = await openBus(open)
  const start = readStartConfiguration(environment)
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  const shared = { open, bus, configuration, secretBox: openSecretBox(folder, {}) }
  const snapshot = await openSnapshot({ ...shared, credentials: start.credentials })
  const credentials = openCredentials({ ...shared, start, snapshot })
  const saving = savingSettings({ open, configuration, credentials })
  onTestFinished(async () => {
    await snapshot.close()
    configuration.close()
    await bus.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    configuration,
    credentials,
    save: (body: Parameters<typeof saving>[0], by: number) => saving(body, by, namesOf),
  }
}
