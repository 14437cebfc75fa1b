import type { Page } from '@playwright/test'
import type { AskTotals, LoggedAsk } from '#contract/askLog.ts'
import type { LogLine, LogLines, ProcessLog } from '#contract/logFiles.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'

/**
 * The page of the logs as the mockup has it: with people, lines and a request that no short run of a portal would have.
 */
export async function logs(session: PictureSession): Promise<void> {
  const { page, look, take } = session
  const { width } = look
  await asAdministrator(session)
  await answerAsDrawn(page)
  await page.goto('/admin/log')
  await page.getByTestId('admin-row').first().waitFor()
  await page.waitForTimeout(400)
  await take('logs-completions')
  await page.goto('/admin/log?person=1')
  await page.getByTestId('admin-row').first().waitFor()
  await page.waitForTimeout(400)
  await take('logs-person')
  await page.goto('/admin/log?tab=server&lit=r-5a7c')
  await page.getByTestId('log-line').first().waitFor()
  await page.waitForTimeout(300)
  await take('logs-server')
  if (width > 760) {
    await page.getByRole('search').getByRole('button').first().click()
    await page.getByRole('menu').waitFor()
    await take('logs-process')
    await page.keyboard.press('Escape')
  }
  await page.unroute('**/api/logs/**')
  await page.goto('/admin/log?tab=proxy')
  await page.getByRole('heading', { level: 2 }).waitFor()
  await page.waitForTimeout(300)
  await take('logs-proxy')
  await page.unroute('**/api/system/asks**')
}

/** What was changed, one change with whom it reached, and who read whose conversation. */
export async function audit(session: PictureSession): Promise<void> {
  const { page, person, portal, take } = session
  const admin = await asAdministrator(session)
  const week = (amount: number) => ({ source: 'openai_api', unit: 'asks', window: { kind: 'week' }, amount })
  const name = `家人 ${Date.now() % 1_000}`
  const { id } = await admin.result<{ id: number }>('POST', '/plan', { name, limits: [week(150)] })
  for (const nickname of ['林小雨', '陈建国']) {
    const one = await portal.person()
    await admin.result('PATCH', `/user/${one.id}`, { nickname })
    await admin.result('PUT', `/user/${one.id}/plan`, { plan_id: id })
  }
  await person.ask('热泵多久回本？', { new_title: '热泵' })
  const [conversation] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
  const reason = { reason: 'asked', text: '你说导出的图不对，我看一下' }
  await admin.result('POST', `/conv/${conversation?.conversation_id}/oversight`, reason)
  await admin.result('PUT', '/system/config', { keeping: { deleted_days: 14 } })
  await admin.result('PUT', '/system/config', { _reset: ['keeping.deleted_days'] })
  await admin.result('PATCH', `/plan/${id}`, { limits: [week(60)], instructions: '先答结论' })
  await page.goto('/admin/log?tab=audit')
  await page.getByTestId('audit-row').first().waitFor()
  await page.waitForTimeout(300)
  await take('audit')
  await page.getByTestId('audit-row').first().click()
  await page.getByTestId('drawer').waitFor()
  await page.waitForTimeout(300)
  await take('audit-open')
  await page.goto('/admin/log?tab=oversight')
  await page.getByTestId('oversight-row').first().waitFor()
  await take('oversight')
}

/** From now on the calls of the page answer what stands below. */
export async function answerAsDrawn(page: Page): Promise<void> {
  const answer = (result: unknown) => JSON.stringify({ code: 200, message: 'tips.requestSuccess', result })
  const answers: [string, unknown][] = [
    ['**/api/system/asks?*', { rows: ASKS, total: 1_612 }],
    ['**/api/system/asks/totals*', TOTALS],
    ['**/api/logs/files', { machine: 'north', processes: [PROCESS, EARLIER], proxy: NO_PROXY }],
    ['**/api/logs/lines', LINES],
  ]
  for (const [address, result] of answers)
    await page.route(address, route =>
      route.fulfill({
        contentType: 'application/json',
        body: answer(withoutRepeats(route.request().postData(), result)),
      }),
    )
}

/** What is followed has no new line. */
function withoutRepeats(body: string | null, result: unknown): unknown {
  return body?.includes('"after":"') ? { ...LINES, lines: [] } : result
}

const PEOPLE = ['陈建国', '孙伯伯', '美玲', '何小满', 'Ahmad Faiz', '周婷', 'Dr. Okafor', '吴桐']
const COUNTS = [260, 199, 161, 157, 148, 131, 123, 98]
const TITLES = ['鸡兔同笼的三种讲法', '显微镜数据的基线校正', '外婆的体检报告怎么看', 'Rental agreement, plain English']
const now = Date.now()
const at = (seconds: number) => new Date(now - seconds * 1000).toISOString()

const TOTALS: AskTotals = {
  from: at(7 * 86_400),
  to: at(0),
  asks: 1_612,
  prompt_tokens: 2_100_000,
  completion_tokens: 840_000,
  tokens_estimated: true,
  mean_queueing_time: 38,
  mean_ask_time: 19,
  outcomes: { finished: 1_420, stopped: 58, interrupted: 6, failed: 35, left: 30, refused: 63 },
  people: PEOPLE.map((nickname, index) => ({ user_id: index + 1, nickname, asks: COUNTS[index] ?? 0 })),
  others: { people: 14, asks: 335 },
  models: [
    { source: 'openai_web', model: 'gpt_4', asks: 1_200 },
    { source: 'openai_api', model: 'gpt_3_5', asks: 412 },
  ],
}

const ENDS: Pick<LoggedAsk, 'outcome' | 'failure'>[] = [
  { outcome: 'finished', failure: null },
  { outcome: 'finished', failure: null },
  { outcome: 'finished', failure: null },
  { outcome: 'refused', failure: 'noAvailableModelAskCount' },
  { outcome: 'finished', failure: null },
  { outcome: 'stopped', failure: null },
  { outcome: 'failed', failure: 'openai.429' },
  { outcome: 'interrupted', failure: null },
  { outcome: 'left', failure: null },
]

const ASKS: LoggedAsk[] = Array.from({ length: 50 }, (_, index) => {
  const end = ENDS[index % ENDS.length] ?? { outcome: 'finished', failure: null }
  const isAnswered = ['finished', 'stopped', 'interrupted'].includes(end.outcome)
  const isWeb = index % 3 !== 2
  return {
    id: 5_000 - index,
    time: at(60 + index * index * 97),
    user_id: (index % 8) + 1,
    nickname: index === 11 ? null : (PEOPLE[(index * 5) % 8] ?? null),
    conversation_id:
      end.outcome === 'refused' ? null : `0f3f3e4e-5b5a-4c3a-9a53-1c2d3e4f${(4096 + index * 37).toString(16)}`,
    title: end.outcome === 'refused' ? null : (TITLES[index % 4] ?? null),
    source: isWeb ? 'openai_web' : 'openai_api',
    model: index % 4 === 1 ? 'gpt_3_5' : 'gpt_4',
    upstream_id: 1,
    upstream_label: '',
    queueing_time: [0, 38, 74, 0, 252, 21, 12, 95, 64][index % 9] ?? 0,
    ask_time: isAnswered ? (index % 7) * 8.3 + 4.1 : 0,
    prompt_tokens: isAnswered ? 900 : null,
    completion_tokens: isAnswered ? 42 * (index + 3) : null,
    cached_tokens: isAnswered && !isWeb ? 512 : null,
    cost: isAnswered && !isWeb ? 0.004_2 : null,
    tokens_estimated: isWeb,
    charged: isAnswered ? (index === 7 ? 0.5 : 1) : 0,
    ...end,
  }
})

const PROCESS: ProcessLog = {
  name: '20261120T050000000Z-4711-north',
  start_time: at(90_000),
  process_id: 4_711,
  machine: 'north',
  files: 3,
  bytes: 44_000_000,
  update_time: at(1),
  is_own: true,
}
const EARLIER: ProcessLog = { ...PROCESS, name: '20261108T050000000Z-311-north', process_id: 311, is_own: false }
const NO_PROXY = { state: 'notSet', path: null, bytes: null, update_time: null }

const line = (ago: number, text: string, more: Partial<LogLine> = {}): LogLine => ({
  time: at(ago),
  level: 'info',
  text,
  rest: '',
  request: null,
  is_cut: false,
  ...more,
})

const STACK =
  'err="UpstreamRefusal: socket closed"\nUpstreamRefusal: socket closed\n    at read (outbound.ts:118)\n    at reply (openai_api/provider.ts:74)'

const LINES: LogLines = {
  machine: 'north',
  process: PROCESS,
  lines: [
    line(90_000, 'the log file begins', { rest: 'version=0.4.9 process=4711 machine=north' }),
    ...Array.from({ length: 30 }, (_, index) =>
      line(4_000 - index * 100, 'answered', {
        level: 'debug',
        rest: `method=GET route=/conv code=200 elapsed_ms=${index}`,
        request: `r-4f${index + 10}`,
      }),
    ),
    line(21, 'the health of an upstream has changed', { level: 'info', rest: 'upstream_id=2' }),
    line(20, 'the upstream gave no whole answer', {
      level: 'warn',
      rest: 'refusal=openai.429 status=429',
      request: 'r-5a7c',
    }),
    line(19.2, 'refused', { level: 'warn', rest: 'refusal=openai.429', request: 'r-5a7c' }),
    line(18, 'messages could not be indexed for the search', { level: 'warn' }),
    line(14.7, 'unexpected error', { level: 'error', rest: STACK, request: 'r-5a7c' }),
    line(9, 'answered', { level: 'debug', rest: 'method=GET route=/conv code=200 elapsed_ms=6', request: 'r-5b11' }),
    line(1, 'answered', {
      level: 'debug',
      rest: 'method=PATCH route=/user/:id/setting code=200 elapsed_ms=11',
      request: 'r-5b12',
    }),
  ],
  cursor: '1.4096.77',
  has_more: true,
  searched_bytes: null,
}
