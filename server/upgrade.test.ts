import { randomBytes } from 'node:crypto'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { PersonPolicy } from '#contract/planPeople.ts'
import { textOf } from '#contract/messages.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { type DatabaseStorage, openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { remainingOf } from '#server/usage/counts.ts'
import { type DatabaseName, eachStorage, type NewStorage } from '#testing/database.ts'
import { fakeEndpoint } from '#testing/fakeEndpoint.ts'
import { type Person, personAt, signIn, textOfFrames } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { earlierPortal, type EarlierPortal } from '#testing/upgrade/earlierPortal.ts'
import { portalOfSchema27 } from '#testing/upgrade/portalOfSchema27.ts'

const SHARED = 'http://models.example.org/v1/chat/completions'
const OF_MEI = 'http://10.9.8.7:8080/v1/chat/completions'

eachStorage((name, storage) => {
  describe('a portal of schema 8', () => {
    test('gets the schema that a new one has', async () => {
      const where = await storage('empty')
      await earlierPortal(name, where)
      const [upgraded, fresh] = [await schemaOf(where), await schemaOf(await storage())]
      expect(upgraded.length).toBeGreaterThan(50)
      expect(upgraded).toEqual(fresh)
    })
    test('answers as it did', async () => {
      const { earlier, people } = await upgraded(name, storage)
      for (const { as, path, answer } of earlier.answers) {
        const now = await people[as].result<unknown>('GET', path)
        expect(now, `${as} ${path}`).toEqual(expected(answer, earlier.time))
      }
    })
    test('lets people in by their sessions and passwords, and nobody else', async () => {
      const { earlier, portal, people } = await upgraded(name, storage)
      for (const [username, { id }] of Object.entries(earlier.people)) {
        expect(await people.admin.result('GET', `/user/${id}`)).toMatchObject({ username })
        expect((await signIn(portal.url, username, 'correct-horse-7')).id).toBe(id)
        const { total } = await people.admin.result<{ total: number }>('GET', `/system/users?words=${username}`)
        expect(total).toBeGreaterThan(0)
      }
      await expect(signIn(portal.url, 'gone', 'correct-horse-7')).rejects.toThrow('cannot sign in')
    })
    test('sends each sealed key to the endpoint that it was entered for', async () => {
      const { proxy, people } = await upgraded(name, storage)
      for (const person of [people.lin, people.mei]) {
        const frames = await person.ask('Still there?', { new_title: 'After the upgrade' })
        expect(frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
        expect(textOfFrames(frames)).toBe('hi')
      }
      expect(proxy.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
        [SHARED, 'Bearer sk-of-the-portal-0001'],
        [OF_MEI, 'Bearer sk-of-mei-0002'],
      ])
    })
    test('has closed what its killed process left behind, with the text that had come, and goes on from there', async () => {
      const { earlier, people } = await upgraded(name, storage)
      const { running, waiting, own } = earlier.left_behind
      for (const [person, left] of [
        [people.lin, running],
        [people.mei, own],
      ] as const) {
        const answer = lastOf(await historyOf(person, left.conversation_id))
        expect(answer?.metadata).toMatchObject({ ending: 'interrupted' })
        expect(textOf(answer ?? { content: null })).toMatch(/\bask(?:ed)? about/)
        const resumed = await person.chat({ resume: left.ask_id, after: 0 })
        await resumed.closed
        expect(resumed.frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'interrupted', charged: true })
        const next = await person.ask('And then?', {
          new_conversation: false,
          conversation_id: left.conversation_id,
          parent: answer?.id,
        })
        expect(next.at(-1)).toMatchObject({ outcome: 'finished' })
      }
      const { failures, running_ask } = await historyOf(people.tan, waiting.conversation_id)
      expect({ running_ask, failure: failures?.[waiting.question_id] }).toMatchObject({
        running_ask: null,
        failure: { ask_id: waiting.ask_id, tip: 'errors.interrupted' },
      })
      const again = await people.tan.ask(':continue', {
        new_conversation: false,
        conversation_id: waiting.conversation_id,
        parent: waiting.question_id,
      })
      expect(again.at(-1)).toMatchObject({ outcome: 'finished' })
    })
    test('has its files', async () => {
      const { earlier, portal, people } = await upgraded(name, storage)
      const download = (cookie: string) => fetch(`${portal.url}/api${earlier.file.path}`, { headers: { cookie } })
      expect(await (await download(people.lin.cookie)).text()).toBe(earlier.file.text)
      expect(await (await download(people.tan.cookie)).text()).not.toContain(earlier.file.text)
    })
    test('has counts that agree with their ledger, before and after a further ask', async () => {
      const { portal, people } = await upgraded(name, storage)
      await expectAgreement(portal.app.services.open)
      await people.lin.ask('One more.', { new_title: 'x' })
      await people.mei.ask('One more.', { new_title: 'x' })
      await expectAgreement(portal.app.services.open)
    })
    test('has everybody in the default plan, and each limit as a value of their own, whatever plans say', async () => {
      const { earlier, people } = await upgraded(name, storage)
      const { admin } = people
      const policies = async () => {
        const each = Object.values(earlier.people).map(({ id }) =>
          admin.result<PersonPolicy>('GET', `/user/${id}/policy`),
        )
        return (await Promise.all(each)).map(({ plan, openai_web, openai_api, limits }) => ({
          plan,
          openai_web,
          openai_api,
          limits,
        }))
      }
      const before = await policies()
      for (const { plan, openai_api, limits } of before) {
        expect(plan.plan_id).toBe(1)
        expect(Object.values(openai_api).every(({ origin }) => origin.from === 'own')).toBe(true)
        expect(limits.every(({ origin }) => origin.from === 'own')).toBe(true)
      }
      const limit = { source: 'openai_api', unit: 'asks', amount: 0, window: { kind: 'ever' } }
      await admin.result('PATCH', '/plan/1', {
        limits: [limit],
        openai_api: { allow_to_use: false, max_conv_count: 0 },
      })
      expect(await policies()).toEqual(before)
    })
    test('is searched in the midst of making its index anew, and after that', async () => {
      const { people } = await upgraded(name, storage, 'halfway')
      const found = async (words: string) =>
        (await people.lin.result<{ total: number }>('GET', `/conv/search?words=${words}`)).total
      expect(await found('heat')).toBeGreaterThan(0)
      // What only the new index finds: beginnings of words in messages of both halves.
      await expect.poll(async () => [await found('effic'), await found('kubec')]).toEqual([1, 1])
    })
  })
})

eachStorage((_name, storage) => {
  describe('a portal of schema 27', () => {
    test('shows settings, credentials and accounts as it did', async () => {
      const { answers, start } = await accountsBefore(storage)
      const { admin } = await start()
      for (const { path, answer } of answers) {
        const now = await admin.result<unknown>('GET', path)
        expect(now, path).toEqual(expected(answer, Infinity))
      }
    })
    test('asks each account at its address, with its key and in its team', async () => {
      const { start, asked } = await accountsBefore(storage)
      const { admin } = await start()
      await admin.ask('Still there?', { new_title: 'x' })
      await admin.ask('And you?', { new_title: 'x', model: 'mistral' })
      expect(asked()).toEqual([
        ['http://models.example.org/v1/chat/completions', 'sk-of-the-portal-0001', null],
        ['http://second.example.org/v1/chat/completions', 'Bearer sk-of-the-second-0003', null],
      ])
      const web = (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).filter(isWeb)
      for (const { id } of web)
        await admin.call('PATCH', `/chat/openai-plugins/wiki/user-settings?upstream_id=${id}&use_team=true`, {
          is_installed: true,
        })
      const install = 'http://web.example.org/backend-api/aip/p/wiki/user-settings'
      expect(asked().slice(2)).toEqual([
        [install, 'Bearer token-of-the-web-0002', 'team-1'],
        [install, 'Bearer token-of-the-second-0004', 'team-2'],
      ])
    })
    test('is asked as the environment says while it does, and as its rows say afterwards', async () => {
      const { start, asked } = await accountsBefore(storage)
      const locked = await start({
        OPENAI_BASE_URL: 'http://of-environment.example.org/v1/',
        OPENAI_API_KEY: 'sk-of-the-environment',
      })
      await locked.admin.ask('Who are you?', { new_title: 'x' })
      expect(await locked.admin.result('GET', '/system/credentials')).toMatchObject({
        _set: { openai_api_key: { origin: 'environment', changed_by: null } },
      })
      await locked.close()
      const { admin } = await start()
      await admin.ask('And now?', { new_title: 'x' })
      expect(asked()).toEqual([
        ['http://of-environment.example.org/v1/chat/completions', 'sk-of-the-environment', null],
        ['http://models.example.org/v1/chat/completions', 'sk-of-the-portal-0001', null],
      ])
    })
    test('starts with another secret key, asks nothing without its keys, and has them when the right one is back', async () => {
      const { data_dir, start, asked } = await accountsBefore(storage)
      const right = join(data_dir, 'right.key')
      await cp(join(data_dir, 'secret.key'), right)
      await writeFile(join(data_dir, 'secret.key'), randomBytes(32).toString('base64url'))
      const without = await start()
      expect(await without.admin.result('GET', '/system/unreadable-keys')).toMatchObject([
        { of: 'settings', name: 'openai_web_access_token' },
        { of: 'settings', name: 'openai_api_key' },
        { of: 'account', label: 'Second' },
        { of: 'account', label: 'Second web' },
      ])
      await without.admin.ask('Anybody?', { new_title: 'x' })
      expect(asked()).toEqual([])
      await without.close()
      await rm(join(data_dir, 'secret.key'))
      await cp(right, join(data_dir, 'secret.key'))
      const { admin } = await start()
      expect(await admin.result('GET', '/system/unreadable-keys')).toEqual([])
      await admin.ask('And now?', { new_title: 'x' })
      expect(asked()).toEqual([['http://models.example.org/v1/chat/completions', 'sk-of-the-portal-0001', null]])
    })
  })
})

const isWeb = ({ source }: UpstreamRead) => source === 'openai_web'

/** The portal of schema 27, with its accounts behind a proxy that answers for all of them. */
async function accountsBefore(storage: NewStorage) {
  const where = await storage('empty')
  const { data_dir, answers } = await portalOfSchema27(where)
  const proxy = await fakeEndpoint({ models: { items: [] } })
  const start = (environment: Record<string, string> = {}) =>
    startPortal({
      storage: where,
      environment: {
        COMMONS_DATA_DATA_DIR: data_dir,
        ...{ OPENAI_BASE_URL: '', OPENAI_API_KEY: '' },
        ...{ COMMONS_OPENAI_API_PROXY: proxy.url, COMMONS_OPENAI_WEB_PROXY: proxy.url },
        ...environment,
      },
    })
  /** Where requests went, with which key, and in the name of which team. */
  const asked = () =>
    proxy.received.map(({ url, headers }) => [
      url,
      headers['api-key'] ?? headers.authorization,
      headers['chatgpt-account-id'] ?? null,
    ])
  return { data_dir, answers, start, asked }
}

/**
 * The portal in this version, with its endpoints behind a proxy that answers for both, a minute after its process was
 * killed.
 */
async function upgraded(name: DatabaseName, storage: NewStorage, search: 'whole' | 'halfway' = 'whole') {
  const where = await storage('empty')
  const earlier = await earlierPortal(name, where, search)
  const proxy = await fakeEndpoint()
  const began = performance.now()
  const portal = await startPortal({
    storage: where,
    clock: {
      now: () => Math.round(earlier.time + 60_000 + performance.now() - began),
      monotonic: () => performance.now(),
    },
    environment: {
      COMMONS_DATA_DATA_DIR: earlier.data_dir,
      OPENAI_BASE_URL: '',
      OPENAI_API_KEY: '',
      COMMONS_OPENAI_API_PROXY: proxy.url,
      COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["10.9.8.7"]',
    },
  })
  const person = (of: keyof EarlierPortal['people']): Person => {
    const { id, cookie } = earlier.people[of]
    return personAt(portal.url, id, cookie)
  }
  const people = { admin: person('admin'), lin: person('lin'), mei: person('mei'), tan: person('tan') }
  return { earlier, portal, proxy, people }
}

const historyOf = (person: Person, id: string) => person.result<ConversationHistory>('GET', `/conv/${id}`)
const lastOf = ({ mapping, current_node }: ConversationHistory) => mapping[current_node ?? '']

/** What a version says of itself, and when it was seen last. */
const OF_NOW: ReadonlySet<string> = new Set(['last_active_time', 'version'])

/** What was answered then, without the times of what happened after the kill; more may be answered now. */
function expected(answer: unknown, killed: number): unknown {
  if (typeof answer === 'string') return Date.parse(answer) > killed ? expect.any(String) : answer
  if (Array.isArray(answer)) return answer.map(each => expected(each, killed))
  if (answer === null || typeof answer !== 'object') return answer
  const fields = Object.entries(answer).filter(([key]) => !OF_NOW.has(key))
  return expect.objectContaining(Object.fromEntries(fields.map(([key, value]) => [key, expected(value, killed)])))
}

/** What tables, columns and indexes there are, as the database itself says. */
async function schemaOf(storage: DatabaseStorage): Promise<unknown[]> {
  const open = await openDatabase(storage)
  try {
    const questions =
      open.engine === 'sqlite'
        ? [
            sql`select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite_stat%' order by type, name`,
          ]
        : [
            sql`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
              where table_schema = 'public' order by 1, 2`,
            sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`,
          ]
    const rows = (await Promise.all(questions.map(question => question.execute(open.database)))).flatMap(
      answer => answer.rows,
    )
    // SQLite keeps a statement with its white space, which differs where a column was added.
    return rows.map(row => JSON.stringify(row).replaceAll(/\\n|\s/g, ''))
  } finally {
    await open.close()
  }
}

/** Over all rows of a person and source, the changes of a bounded count sum to it. */
async function expectAgreement({ database }: OpenDatabase): Promise<void> {
  const ledger = await database.selectFrom('ask_ledger').selectAll().execute()
  const settings = await effectiveSettings(database, Configuration.parse({}), null)
  const counted = settings.flatMap(({ user_id, source, total_ask_count, models }) => [
    ...(total_ask_count < 0 ? [] : [{ user_id, source, model: null, count: total_ask_count }]),
    ...[...models].map(([model, state]) => ({ user_id, source, model, count: remainingOf(state) })),
  ])
  expect(counted).toHaveLength(4)
  for (const { user_id, source, model, count } of counted) {
    const moved = ledger
      .filter(row => row.user_id === user_id && row.source === source)
      .filter(row => (model === null ? row.of_total : row.of_model && row.model === model))
    expect(moved.reduce((sum, { change }) => sum + change, 0)).toBe(count)
  }
}
