import { expect, test } from 'vitest'
import { type ConversationSync, SYNC_JOB } from '#contract/conversationSync.ts'
import { loseLease } from '#server/foundation/jobs/jobs.testing.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { storedConversation } from '#testing/rows.ts'
import { startServer } from '#testing/server.ts'
import { until } from '#testing/until.ts'

const LISTED = 2_000
/** Pages of 80 that the process reads before it is killed. */
const PAGES = 10
const SEEN = PAGES * 80

eachStorage((name, newStorage) => {
  test('a sync whose process was killed begins its account again elsewhere: nothing is added twice, given away or given up', async () => {
    const storage = await newStorage()
    const simulator = await aSimulator()
    const account = simulator.web.account('web-token')
    const listed = account.addConversations(LISTED)
    const environment = {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'web-token',
    }
    const before = await startPortal({ storage, simulator, environment })
    const lin = await before.person('lin')
    const upstream_id = before.app.services.upstreams.ofSettings('openai_web').id
    const known = { source: 'openai_web', upstream_id, user_id: lin.id, create_time: 1 } as const
    // One stands on a page that the killed process does not come to; the other one is gone there.
    for (const upstream_conversation_id of [listed.at(-1) ?? '', 'gone'])
      await storedConversation(before.app.services.open.database, { ...known, upstream_conversation_id })
    await before.close()

    const killed = await startServer({
      ...environment,
      COMMONS_DATA_DATA_DIR: await emptyFolder(),
      ...('data_dir' in storage ? { COMMONS_DATA_DATA_DIR: storage.data_dir } : { DATABASE_URL: storage.database_url }),
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'test-key',
    })
    simulator.web.nextFault('list', { kind: 'slow_first_byte', delay_ms: 0 }, PAGES + 1) // and the look beyond the end
    simulator.web.nextFault('list', { kind: 'silence' })
    const offsets = () =>
      simulator.journal
        .flatMap(({ path, web }) =>
          path === '/web/conversations' ? [Number(new URLSearchParams(web?.query).get('offset'))] : [],
        )
        .filter(offset => offset <= LISTED)
    await before.admin.at(killed.url).result('POST', '/system/action/sync-openai-web-conv?wait=false')
    await until(() => expect(offsets().at(-1)).toBe(SEEN))

    const start = () => startPortal({ storage, simulator, environment })
    const other = name === 'PostgreSQL' ? await start() : null
    const read = (url: string) => before.admin.at(url).result<ConversationSync>('GET', '/system/conversations/sync')
    const far = { state: 'running', current: { upstream_id, done: SEEN, added: SEEN, gone: 0 }, last: null }
    await until(async () => expect(await read(killed.url)).toMatchObject(far))
    killed.kill('SIGKILL')
    await killed.ended
    const left = other ?? (await start())
    // As long as its lease lasts, it is taken for running; in a database of one process nobody else can. What it has
    // found may be given to people.
    expect(await read(left.url)).toMatchObject({ ...far, state: other === null ? 'waiting' : 'running' })
    expect(offsets()).toHaveLength(PAGES + 1)
    const { open, bus } = left.app.services
    const rows = () => open.database.selectFrom('conversations').selectAll().orderBy('id').execute()
    const half = await rows()
    expect(half).toHaveLength(SEEN + 2)
    expect(half.every(({ is_valid }) => is_valid)).toBe(true)
    const given = half.find(({ user_id }) => user_id === null)
    await left.admin.result('PATCH', `/conv/${given?.conversation_id}/assign/lin`)
    await left.admin.result('PATCH', `/conv/${given?.conversation_id}?title=Ours`)

    await loseLease(open, SYNC_JOB)
    bus.publish('jobs')
    const { last } = await until(async () => {
      const state = await read(left.url)
      expect(state).toMatchObject({ state: 'idle', last: { outcome: 'finished' } })
      return state
    })
    expect(last?.started_by).toMatchObject({ username: 'admin' })
    expect(last?.accounts).toMatchObject([{ upstream_id, seen: LISTED, gone: 1, listing: 'whole' }])
    expect(offsets().slice(PAGES + 1)).toEqual(Array.from({ length: LISTED / 80 + 1 }, (_, page) => page * 80))
    const all = await rows()
    expect(new Set(all.map(row => row.upstream_conversation_id))).toEqual(new Set([...listed, 'gone']))
    expect(all).toHaveLength(LISTED + 1)
    expect(all.filter(row => row.gone_upstream_time !== null).map(row => row.upstream_conversation_id)).toEqual([
      'gone',
    ])
    expect(all.filter(({ user_id }) => user_id === lin.id)).toHaveLength(3)
    expect(all.find(({ id }) => id === given?.id)).toMatchObject({ user_id: lin.id, title: 'Ours' })
  })
})
