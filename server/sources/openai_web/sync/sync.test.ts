import { describe, expect, test } from 'vitest'
import type { ConversationSync } from '#contract/conversationSync.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { storedConversation } from '#testing/rows.ts'
import { until } from '#testing/until.ts'
import { aListed, manyListed, webAccounts } from './webAccounts.testing.ts'

const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://127.0.0.1:9/web/',
  COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'first',
}
const TEAM = {
  COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'true',
  COMMONS_OPENAI_WEB_TEAM_ACCOUNT_ID: 'team-1',
}

async function aWebPortal(storage: NewStorage, environment: Record<string, string> = {}) {
  const web = webAccounts()
  const portal = await startPortal({
    storage: await storage(),
    environment: { ...ENVIRONMENT, ...environment },
    providers: { openai_web: web.provider },
  })
  const { admin, app } = portal
  const { database } = app.services.open
  const first = app.services.upstreams.ofSettings('openai_web').id
  const read = () => admin.result<ConversationSync>('GET', '/system/conversations/sync')
  const start = () => admin.call('POST', '/system/action/sync-openai-web-conv?wait=false')
  const ended = () =>
    until(async () => {
      const { state, last } = await read()
      if (state !== 'idle' || last === null) throw new Error(`it is ${state}`)
      return last
    })
  return {
    ...portal,
    web,
    account: web.account('first'),
    database,
    first,
    read,
    start,
    ended,
    /** What a sync that is started now finds. */
    async synced() {
      await start()
      return ended()
    },
    /** The rows by what the upstream calls them. */
    rows: async () =>
      Object.fromEntries(
        (await database.selectFrom('conversations').selectAll().orderBy('id').execute()).map(row => [
          row.upstream_conversation_id ?? '',
          row,
        ]),
      ),
    known: (upstream_conversation_id: string, fields: Parameters<typeof storedConversation>[1] = {}) =>
      storedConversation(database, {
        source: 'openai_web',
        upstream_id: first,
        upstream_conversation_id,
        title: `Title of ${upstream_conversation_id}`,
        ...fields,
      }),
  }
}

eachStorage((_name, storage) => {
  describe('a sync', () => {
    test('adds what is not known as nobody’s, in the name of person or team, and nothing twice', async () => {
      const portal = await aWebPortal(storage, TEAM)
      const { account, web, database, synced } = portal
      const lin = await portal.person('lin')
      const own = await portal.known('mine', { user_id: lin.id, title: 'Mine', has_own_title: true })
      account.conversations = [aListed('mine'), aListed('new', ' a\nb '), aListed('blank', null)]
      web.account('team-1').conversations = [aListed('of the team'.replaceAll(' ', '-'))]
      expect(await synced()).toMatchObject({
        outcome: 'finished',
        started_by: { username: 'admin' },
        accounts: [{ upstream_id: portal.first, label: '', seen: 4, added: 3, renamed: 0, gone: 0, listing: 'whole' }],
      })
      const nobodys = { user_id: null, is_valid: true, current_model: null, update_time: null, source: 'openai_web' }
      const there = { upstream_id: portal.first, create_time: 1_700_000_000_000 }
      expect(await portal.rows()).toMatchObject({
        mine: { conversation_id: own, user_id: lin.id, title: 'Mine' },
        new: { ...nobodys, ...there, title: 'a b', folded_title: 'a b', source_id: null },
        blank: { ...nobodys, title: null },
        'of-the-team': { ...nobodys, source_id: 'team-1' },
      })
      expect(await synced()).toMatchObject({ accounts: [{ seen: 4, added: 0, renamed: 0, back: 0 }] })
      const count = database.selectFrom('conversations').select(({ fn }) => fn.countAll<number>().as('count'))
      expect(await count.executeTakeFirst()).toEqual({ count: 4 })
      // Nobody's conversations are given to people as any other.
      const { new: found } = await portal.rows()
      await portal.admin.result('PATCH', `/conv/${found?.conversation_id}/assign/lin`)
      expect(await lin.result('GET', '/conv')).toHaveLength(2)
    })

    test('reads every page, and marks only what the upstream says it does not know, which stays valid', async () => {
      const portal = await aWebPortal(storage)
      const { account, rows, synced } = portal
      account.conversations = []
      expect(await synced()).toMatchObject({ accounts: [{ seen: 0, gone: 0, listing: 'whole' }] })
      account.conversations = manyListed(205)
      expect(await synced()).toMatchObject({ accounts: [{ seen: 205, added: 205, gone: 0, listing: 'whole' }] })
      const archived = aListed('c7')
      account.list = ({ offset, limit }) =>
        account.conversations.filter(each => each !== archived).slice(offset, offset + limit)
      account.conversations = [...manyListed(205).filter(({ id }) => !['c3', 'c7', 'c200'].includes(id)), archived]
      expect(await synced()).toMatchObject({ accounts: [{ seen: 202, gone: 2, listing: 'whole' }] })
      expect(account.read.toSorted()).toEqual(['c200', 'c3', 'c7'])
      const marked = { is_valid: true, hide_time: null, gone_upstream_time: expect.any(Number) }
      const there = { is_valid: true, gone_upstream_time: null }
      expect(await rows()).toMatchObject({ c3: marked, c200: marked, c7: there, c8: there })
      const shown = '/system/conversations?state=gone_upstream'
      expect(await portal.admin.result('GET', shown)).toMatchObject({
        total: 2,
        rows: [{ gone_upstream: expect.any(String), hidden: null }, { is_valid: true }],
      })
      account.read.length = 0 // and not asked for again
      expect(await synced()).toMatchObject({ accounts: [{ gone: 0, listing: 'whole' }] })
      expect(account.read).toEqual(['c7'])

      account.list = null
      account.conversations = manyListed(205)
      await portal.admin.result('DELETE', `/conv/${(await rows())['c8']?.conversation_id}`)
      expect(await synced()).toMatchObject({ accounts: [{ gone: 0, back: 2 }] })
      expect(await rows()).toMatchObject({
        c3: there,
        c200: there,
        c8: { is_valid: false, hidden_by: portal.admin.id },
      })
    })

    test.each([
      ['cut off', manyListed(10), 'short'],
      ['empty', [], 'empty'],
    ])('leaves everything valid when the listing is %s', async (_, listed, listing) => {
      const portal = await aWebPortal(storage)
      portal.account.conversations = manyListed(60)
      await portal.synced()
      portal.account.conversations = listed
      expect(await portal.synced()).toMatchObject({ accounts: [{ gone: 0, listing }] })
      expect(portal.account.read).toEqual([])
      expect(Object.values(await portal.rows()).every(({ is_valid }) => is_valid)).toBe(true)
    })

    test('leaves everything valid when the listing repeats itself, and stops reading it', async () => {
      const portal = await aWebPortal(storage)
      portal.account.conversations = manyListed(60)
      await portal.synced()
      portal.account.conversations = []
      portal.account.list = () => manyListed(50)
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 50, gone: 0, listing: 'repeated' }] })
      expect(Object.values(await portal.rows()).every(({ is_valid }) => is_valid)).toBe(true)
    })

    test('takes nothing of a listing without an end, so that one with an end is whole afterwards', async () => {
      const portal = await aWebPortal(storage)
      portal.account.conversations = manyListed(60)
      await portal.synced()
      const asked: number[] = []
      portal.account.list = ({ offset, limit }) => {
        asked.push(offset)
        return manyListed(limit, `endless-${offset}-`)
      }
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 0, added: 0, gone: 0, listing: 'endless' }] })
      expect(asked).toHaveLength(3)
      portal.account.list = ({ offset, limit }) => {
        if (offset > 60) throw new Refusal('openai.400', { status: 400 })
        return manyListed(60).slice(offset, offset + limit)
      }
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 60, added: 0, listing: 'whole' }] })
    })

    test('reads a listing whole that has its last conversations at each place beyond its end', async () => {
      const portal = await aWebPortal(storage)
      const listed = manyListed(100)
      portal.account.list = ({ offset, limit }) =>
        offset > 100 ? listed.slice(-limit) : listed.slice(offset, offset + limit)
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 100, added: 100, listing: 'whole' }] })
    })

    test('goes on with the others where an account fails, and says why; a refused token is known of the account', async () => {
      const portal = await aWebPortal(storage)
      const second = await portal.admin.result<{ id: number }>('POST', '/system/upstreams', {
        source: 'openai_web',
        label: 'Second',
        secret: 'second',
      })
      portal.account.list = () => {
        throw new Refusal('openai.401', { status: 401 })
      }
      portal.web.account('second').conversations = manyListed(3, 's')
      const last = await portal.synced()
      expect(last.accounts).toMatchObject([
        { upstream_id: portal.first, listing: 'failed', message: 'errors.openai.401' },
        { upstream_id: second.id, label: 'Second', listing: 'whole', seen: 3, added: 3, message: null },
      ])
      expect(portal.app.services.upstreams.find(portal.first)?.health).toMatchObject({ state: 'attention' })
      // The administrator is not signed out by it.
      expect(await portal.admin.result('GET', '/user/me')).toMatchObject({ username: 'admin' })
      // A conversation that two accounts list is one; that of an account that is gone is taken over.
      portal.account.list = null
      portal.account.conversations = manyListed(2, 's')
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 2, added: 0 }, { added: 0 }] })
      await portal.admin.result('DELETE', `/system/upstreams/${second.id}`)
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 2, added: 0 }] })
      expect(await portal.rows()).toMatchObject({
        s0: { upstream_id: portal.first },
        s1: { upstream_id: portal.first },
        s2: { upstream_id: second.id },
      })
    })

    test('takes over for an account what another one does not know any more, and leaves what that knows', async () => {
      const portal = await aWebPortal(storage)
      const lin = await portal.person('lin')
      await portal.known('mine', { user_id: lin.id, gone_upstream_time: 5 })
      await portal.known('theirs', { user_id: lin.id })
      const second = await portal.admin.result<{ id: number }>('POST', '/system/upstreams', {
        source: 'openai_web',
        label: 'Second',
        secret: 'second',
      })
      portal.account.conversations = [aListed('theirs')]
      portal.web.account('second').conversations = [aListed('mine'), aListed('theirs')]
      await portal.synced()
      expect(await portal.rows()).toMatchObject({
        mine: { user_id: lin.id, upstream_id: second.id, gone_upstream_time: null },
        theirs: { user_id: lin.id, upstream_id: portal.first },
      })
    })

    test('that finds a conversation while its first question is answered leaves one of it, with its person', async () => {
      const portal = await aWebPortal(storage)
      portal.web.beforeAnswer = async id => {
        portal.web.beforeAnswer = async () => undefined // it is asked for a title as well
        portal.account.conversations = [aListed(id)]
        expect(await portal.synced()).toMatchObject({ accounts: [{ added: 1 }] })
      }
      const lin = await portal.person('lin')
      await lin.ask('Is it there?', { source: 'openai_web' })
      const count = portal.database.selectFrom('conversations').select('user_id')
      expect(await count.execute()).toEqual([{ user_id: lin.id }])
      expect(await portal.synced()).toMatchObject({ accounts: [{ seen: 1, added: 0 }] })
    })

    test('says how far it is, and ends when it is stopped, with what it has found', async () => {
      const portal = await aWebPortal(storage)
      const held = Promise.withResolvers<void>()
      portal.account.list = async ({ offset }, signal) => {
        if (offset !== 80) return manyListed(80).slice(offset)
        signal.addEventListener('abort', () => held.resolve())
        await held.promise
        throw new Refusal('upstreamTimeout')
      }
      expect(await portal.start()).toMatchObject({ code: 200 })
      await until(async () =>
        expect(await portal.read()).toMatchObject({
          accounts: 1,
          state: 'running',
          current: { upstream_id: portal.first, label: '', done: 80, total: null, added: 80, gone: 0 },
        }),
      )
      // Whoever starts it as well finds it running.
      expect(await portal.start()).toMatchObject({ code: 200 })
      const stop = `/system/jobs/${encodeURIComponent('sync of conversations')}/stop?key=all`
      expect(await portal.admin.result('POST', stop)).toBe(true)
      expect(await portal.ended()).toMatchObject({
        outcome: 'stopped',
        accounts: [{ seen: 80, added: 80, gone: 0, listing: 'stopped' }],
      })
    })
  })
})

const once: NewStorage = async () => ({ data_dir: await emptyFolder() })

describe('the call of old clients', () => {
  test('answers null when the sync has ended, and the refusal of one that could read nothing', async () => {
    const portal = await aWebPortal(once)
    const old = () => portal.admin.call('POST', '/system/action/sync-openai-web-conv')
    portal.account.conversations = manyListed(2)
    expect(await old()).toMatchObject({ code: 200, result: null })
    expect(Object.keys(await portal.rows())).toEqual(['c0', 'c1'])
    portal.account.list = () => {
      throw new Refusal('httpError')
    }
    expect(await old()).toMatchObject({ message: 'errors.httpError' })
    const lin = await portal.person()
    expect(await lin.call('POST', '/system/action/sync-openai-web-conv')).toMatchObject({ code: 10403 })
    expect(await lin.call('GET', '/system/conversations/sync')).toMatchObject({ code: 10403 })
  })
  test('is refused where no web account is in use', async () => {
    const portal = await aWebPortal(once, { COMMONS_OPENAI_WEB_ENABLED: 'false' })
    expect(await portal.start()).toMatchObject({ message: 'errors.noWebAccount' })
  })
})

describe('a sync by itself', () => {
  const HOUR = 3_600_000
  const STARTUP = { COMMONS_OPENAI_WEB_SYNC_CONVERSATIONS_ON_STARTUP: 'true' }
  const SCHEDULE = { COMMONS_OPENAI_WEB_SYNC_CONVERSATIONS_SCHEDULE: 'true' }

  test('comes at the start where that is wanted, without the schedule', async () => {
    const portal = await aWebPortal(once, STARTUP)
    expect(await portal.ended()).toMatchObject({ outcome: 'finished', started_by: null })
  })
  test('comes on schedule without the start, each time the interval is over', async () => {
    const portal = await aWebPortal(once, SCHEDULE)
    const first = await portal.ended()
    expect(first).toMatchObject({ outcome: 'finished', started_by: null })
    const look = () => portal.admin.result('POST', `/system/jobs/${encodeURIComponent('scheduled sync')}/start`)
    const looked = () =>
      until(async () => {
        const state = (await portal.app.services.jobs.list()).find(({ name }) => name === 'scheduled sync')
        expect(state).toMatchObject({ state: 'waiting', last_run: { outcome: 'finished' } })
        return state?.last_run?.end_time ?? 0
      })
    const before = await looked()
    await look()
    await until(async () => expect(await looked()).toBeGreaterThan(before))
    expect((await portal.read()).last?.start_time).toBe(first.start_time)
    // As if twelve hours were over.
    const run = await portal.app.services.jobs.find('sync of conversations', 'all')
    const last_run = { ...run?.last_run, start_time: Date.now() - 12 * HOUR } as never // of the row that was read
    await portal.database
      .updateTable('jobs')
      .set({ last_run })
      .where('job_name', '=', 'sync of conversations')
      .execute()
    await look()
    await until(async () => expect(Date.parse((await portal.read()).last?.start_time ?? '')).toBeGreaterThan(before))
  })
  test('does not come where neither is wanted', async () => {
    const portal = await aWebPortal(once)
    const looked = await until(async () => {
      const state = (await portal.app.services.jobs.list()).find(({ name }) => name === 'scheduled sync')
      expect(state).toMatchObject({ last_run: { outcome: 'finished' } })
      return state
    })
    expect(looked?.last_run).toMatchObject({ result: { latest: null } })
    expect(await portal.read()).toEqual({ accounts: 1, state: 'idle', current: null, last: null })
  })
})
