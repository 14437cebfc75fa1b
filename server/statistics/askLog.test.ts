import { describe, expect, test } from 'vitest'
import type { AskTotals, LoggedAsk } from '#contract/askLog.ts'
import type { ResultOf } from '#contract/call.ts'
import type { AskLog } from '#contract/logFiles.ts'
import type { AskPlot, readSystemInfo, RequestPlot } from '#contract/statistics.ts'
import { wallTimeOf } from '#server/foundation/clock.ts'
import { firstUpstream } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { bringsText, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

type Page = { rows: LoggedAsk[]; total: number }

const ONE_AT_ONCE = {
  COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1',
  COMMONS_PORTAL_TIME_ZONE: 'Asia/Kuala_Lumpur',
}

eachStorage((_name, storage) => {
  describe('the log of asks', () => {
    test('has every ask that ended or was refused, with what became of it, for lists, totals, plots and a file', async () => {
      const { person, admin, simulator, app, url } = await startPortal({
        storage: await storage(),
        environment: ONE_AT_ONCE,
      })
      const [lin, mei] = [await person('lin'), await person('mei')]
      const prices = [{ model: 'gpt_4', input: 0, output: 2 }]
      await admin.result('PUT', `/system/upstreams/${await firstUpstream(app.services.open.database)}/prices`, {
        prices,
      })
      await lin.ask('/simulate tokens=5', { new_title: '=1+1, "quoted"' })
      await lin.ask('/simulate fault=500', { new_title: 'fails' })
      simulator.setPace(20)
      const running = await lin.chat(question('/simulate tokens=5000', { new_title: 'is stopped' }))
      await running.until(bringsText)
      const waiting = await mei.chat(question('hello', { new_title: 'waits', model: 'gpt_3_5' }))
      await waiting.until(frame => frame.type === 'queueing')
      waiting.send({ stop: true })
      await waiting.closed
      running.send({ stop: true })
      await running.closed
      await admin.result('PATCH', `/user/${mei.id}/setting`, { openai_api: { total_ask_count: 0 } })
      await mei.ask('one more', { new_title: 'is refused' })

      const list = (query = '') => admin.result<Page>('GET', `/system/asks?${query}`)
      const { rows } = await until(async () => {
        const page = await list()
        expect([page.total, page.rows.length]).toEqual([5, 5])
        return page
      })
      expect(rows.map(({ nickname, outcome, title, failure }) => [nickname, outcome, title, failure])).toEqual([
        ['mei', 'refused', null, 'noAvailableTotalAskCount'],
        ['lin', 'stopped', 'is stopped', null],
        ['mei', 'left', 'waits', null],
        ['lin', 'failed', 'fails', 'openai.500'],
        ['lin', 'finished', '=1+1, "quoted"', null],
      ])
      const [refused, stopped, left, failed, finished] = rows
      expect(finished).toMatchObject({
        source: 'openai_api',
        model: 'gpt_4',
        user_id: lin.id,
        upstream_label: '',
        completion_tokens: 5,
        cost: 0.000_01,
        charged: 1,
        tokens_estimated: false,
      })
      expect(stopped).toMatchObject({ prompt_tokens: expect.any(Number), tokens_estimated: true })
      for (const without of [refused, left, failed])
        expect(without).toMatchObject({
          prompt_tokens: null,
          completion_tokens: null,
          cost: null,
          charged: 0,
          tokens_estimated: false,
        })

      const outcomes = async (query: string) => (await list(query)).rows.map(({ outcome }) => outcome)
      expect(await outcomes(`person=${mei.id}`)).toEqual(['refused', 'left'])
      expect(await outcomes('model=gpt_3_5&source=openai_api')).toEqual(['left'])
      expect(await outcomes('outcome=failed')).toEqual(['failed'])
      expect(await outcomes('words=QUOTED')).toEqual(['finished'])
      expect(await outcomes(`words=${stopped?.conversation_id?.slice(0, -1)}`)).toEqual(['stopped'])
      expect(await outcomes('words=%25')).toEqual([])
      expect(await outcomes('sort=time&order=asc&size=20')).toEqual(rows.map(({ outcome }) => outcome).toReversed())
      expect((await list('sort=tokens&size=20&page=1')).rows[0]?.outcome).toMatch(/finished|stopped/)
      expect(await list('page=2')).toEqual({ rows: [], total: 5 })
      expect(await outcomes('to=2020-01-01T00:00:00Z')).toEqual([])
      expect(await admin.call('GET', '/system/asks?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toMatchObject({
        code: -1,
        message: 'errors.invalidParams',
      })

      expect(await admin.result<AskTotals>('GET', '/system/asks/totals')).toMatchObject({
        asks: 5,
        outcomes: { finished: 1, stopped: 1, failed: 1, left: 1, refused: 1, interrupted: 0 },
        tokens_estimated: true,
        mean_ask_time: expect.any(Number),
        people: [
          { user_id: lin.id, nickname: 'lin', asks: 3 },
          { user_id: mei.id, nickname: 'mei', asks: 2 },
        ],
        others: { people: 0, asks: 0 },
        models: [
          { source: 'openai_api', model: 'gpt_4', asks: 4 },
          { source: 'openai_api', model: 'gpt_3_5', asks: 1 },
        ],
      })
      const { figures } = await admin.result<AskPlot>('GET', '/system/plots/asks')
      expect(figures).toMatchObject({ asks: 4, failed: 1, refused: 1, left_queue: 1 })

      const file = await fetch(`${url}/api/system/asks.csv`, { headers: { cookie: admin.cookie } })
      expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="asks-[\d-]+\.csv"/)
      const csv = Buffer.from(await file.arrayBuffer()).toString()
      const lines = csv.split('\r\n')
      expect(lines[0]).toMatch(/^\uFEFFtime \(Asia\/Kuala_Lumpur\),user_id,nickname,/)
      expect(lines).toHaveLength(7)
      expect(lines[1]?.startsWith(`${wallTimeOf(Date.parse(finished?.time ?? ''), 'Asia/Kuala_Lumpur')},`)).toBe(true)
      expect(lines[1]).toContain(`,lin,${finished?.conversation_id},"'=1+1, ""quoted""",openai_api,gpt_4,`)
      expect(lines[0]).toContain(',completion_tokens,cached_tokens,tokens_estimated,cost (USD),charged,outcome,')
      expect(lines[1]).toContain(',5,,false,0.000010,1,finished,')

      // Old clients know answered asks only.
      const old = await admin.result<AskLog[]>('GET', '/logs/completions?max_results=1000')
      expect(old.map(({ conversation_id }) => conversation_id)).toEqual(
        [stopped, finished].map(row => row?.conversation_id),
      )
      expect(old[0]).toMatchObject({
        _id: expect.stringMatching(/^[\da-f]{24}$/),
        meta: { source: 'openai_api', model: 'gpt_4' },
      })

      expect(await admin.result<ResultOf<typeof readSystemInfo>>('GET', '/system/info')).toMatchObject({
        startup_time: expect.closeTo(Date.now() / 1000, -3),
        total_user_count: 3,
        // The administrator, too.
        active: { in_5m: 3, in_1h: 3, in_1d: 3 },
        total_conversation_count: 4,
        valid_conversation_count: 4,
        database: { engine: app.services.open.engine, bytes: expect.any(Number) },
        disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
      })
      await app.services.requestCounts.flush()
      const { series } = await admin.result<RequestPlot>('GET', '/system/plots/requests')
      const count = (method: string, path: string) =>
        series.find(one => one.method === method && one.route_path === path)?.total
      expect(count('WEBSOCKET', '/chat')).toBe(5)
      expect(count('POST', '/auth/register')).toBe(2)
      expect(count('PATCH', '/user/:id/setting')).toBe(1)
      expect(count('GET', '/system/asks.csv')).toBe(1)
    })

    test('takes refusals of a person only so often, however often they come', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_to_use: false } })
      for (let turn = 0; turn < 25; turn += 1) await lin.ask('again', { new_title: 'x' })
      await until(async () => expect((await admin.result<Page>('GET', '/system/asks')).total).toBe(20))
    })
  })
})
