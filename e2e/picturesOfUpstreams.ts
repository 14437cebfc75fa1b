import type { Page } from '@playwright/test'
import type { Lending, LendingReport, Replay } from '#contract/lending.ts'
import type { UpstreamPrices } from '#contract/prices.ts'
import type { Share } from '#contract/shares.ts'
import type { UpstreamDraftTest, UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'
import { aLoad, anUpstream, anUpstreamOfSettings } from '#web/admin/upstreams/state/builders.testing.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import { TEXTS } from './steps.ts'

/** The page of the accounts as the mockup has it: with states that a portal has only after days. */
export async function upstreams(session: PictureSession): Promise<void> {
  const { page, look, take } = session
  const t = TEXTS[look.language]
  await asAdministrator(session)
  const drawer = page.getByTestId('drawer')
  await answerAsDrawn(page, UPSTREAMS)
  await page.goto('/admin/openai_settings')
  await page.getByTestId('admin-row').first().waitFor()
  await page.waitForTimeout(400)
  await take('accounts')
  await page.goto(`/admin/openai_settings?open=${healthy.id}`)
  await drawer.getByRole('tab', { name: t['upstreams.tab.sharing'] }).click()
  await page.waitForTimeout(400)
  await take('accounts-sharing')
  await drawer.getByTestId('lending-table').scrollIntoViewIfNeeded()
  await take('accounts-lending')
  await drawer.getByText(t['upstreams.sharing.first_come'], { exact: true }).click()
  await take('accounts-first-come')
  await drawer.getByTestId('sharing-replay').getByRole('table').scrollIntoViewIfNeeded()
  await take('accounts-replay')
  await page.getByTestId('discard').click()
  await drawer.getByRole('tab', { name: t['upstreams.tab.models'] }).click()
  await drawer.getByTestId('price-row').first().scrollIntoViewIfNeeded()
  await drawer.getByTestId('price-input').nth(5).fill('-1')
  await drawer.getByText(t['upstreams.prices.paste'], { exact: true }).click()
  await take('accounts-prices')
  await page.getByTestId('discard').click()
  await page.goto('/admin/openai_settings?open=new')
  await drawer.getByLabel(t['upstreams.field.label'], { exact: true }).fill('Third')
  await drawer.getByLabel(t['upstreams.field.base_url'], { exact: true }).fill('https://upstream.example.org/v1/')
  await drawer.getByLabel(t['upstreams.field.secret'], { exact: true }).fill(`sk-${'0'.repeat(48)}x7Qk`)
  await page.getByTestId('run-test').click()
  await drawer.locator('[data-outcome]').first().waitFor()
  await take('accounts-add')
  await drawer.getByText(t['upstreams.models.picked'], { exact: true }).click()
  await drawer.getByTestId('model-row').first().scrollIntoViewIfNeeded()
  await take('accounts-models')
  await page.getByTestId('discard').click()
  await page.getByRole('dialog').getByRole('button', { name: t['drawer.leaveVerb'] }).click()
  await page.goto('/admin/openai_settings?open=4')
  await drawer.locator('[data-outcome]').first().waitFor()
  await take('accounts-refused')
  await page.getByTestId('remove-upstream').click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('accounts-remove')
  await page.unroute('**/api/system/upstreams**')
  await answerAsDrawn(page, [])
  await page.goto('/admin/openai_settings')
  await page.getByText(t['upstreams.nothing']).waitFor()
  await take('accounts-none')
  await page.unroute('**/api/system/upstreams**')
}

async function answerAsDrawn(page: Page, stored: readonly UpstreamRead[]): Promise<void> {
  await page.route('**/api/shares', route =>
    route.fulfill({ json: { code: 200, message: 'tips.requestSuccess', result: SHARES } }),
  )
  await page.route('**/api/system/upstreams**', route => {
    const { pathname } = new URL(route.request().url())
    const result = pathname.endsWith('/loads')
      ? { now: new Date().toISOString(), loads: LOADS }
      : pathname.endsWith('/test')
        ? TESTED
        : pathname.endsWith('/prices')
          ? PRICES
          : pathname.endsWith('/lending')
            ? LENDING
            : pathname.endsWith('/replay')
              ? REPLAYED
              : stored
    return route.fulfill({ json: { code: 200, message: 'tips.requestSuccess', result } })
  })
}

const NOT_KNOWN = { input: null, cached_input: null, output: null, picture: null, free: false, by: null, from: null }
const PRICES: UpstreamPrices = {
  currency: 'EUR',
  prices: [
    {
      ...{ ...NOT_KNOWN, model: 'qwen', name: 'qwen/qwen3-235b-a22b', input: 0.4, cached_input: 0.04, output: 1.2 },
      ...{ by: 'read', from: '2026-11-18T08:00:00Z' },
    },
    { ...NOT_KNOWN, model: 'gpt_4', name: 'gpt-4o', input: 2.5, output: 10, by: 'hand', from: '2026-11-18T08:00:00Z' },
    { ...NOT_KNOWN, model: 'llama', name: 'llama-3', free: true, by: 'hand', from: '2026-11-18T08:00:00Z' },
  ],
  coming: [],
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const healthy = anUpstream()
if (healthy.last_test === null) throw new Error('it was tested')
const { last_test } = healthy

const HOURS = { unit: 'asks', window: { kind: 'rolling', seconds: 18_000 }, models: null } as const
const WEEK = { unit: 'asks', window: { kind: 'week' }, models: null } as const
/** One window as it says itself, of the other it says something that wants a yes. */
const SHARED: Partial<UpstreamRead> = {
  windows: [
    { ...HOURS, amount: 60 },
    { ...WEEK, amount: 600 },
  ],
  ...{ sharing: 'shares', reserve_percent: 12, owner_id: 1, owner_name: 'admin' },
  reported_windows: [
    { ...HOURS, capacity: 50, used: 35, ends_at: ago(-70), reported_at: ago(2), pending_capacity: null },
    { ...WEEK, capacity: 600, used: 402, ends_at: ago(-4_000), reported_at: ago(2), pending_capacity: 1_500 },
  ],
}
const WEEKS = [0.6, 1, 0.3, 0.8]
/** Somebody whose weeks differ by `WEEKS`. */
const lender = (id: number, nickname: string, of: Lending): LendingReport['people'][number] => ({
  user: { id, username: nickname, nickname },
  total: of,
  by_week: WEEKS.map(part => ({
    used: Math.round((of.used * part) / 2.7),
    lent: Math.round((of.lent * part) / 2.7),
    borrowed: Math.round((of.borrowed * part) / 2.7),
    refused: Math.round((of.refused * part) / 2.7),
  })),
})
const LENDING: LendingReport = {
  weeks: WEEKS.map((_, at) => ago((WEEKS.length - at) * 10_080)),
  people: [
    lender(11, '周婷', { used: 12, lent: 216, borrowed: 0, refused: 0 }),
    lender(12, 'Mei Ling Abdullah', { used: 88, lent: 41, borrowed: 3, refused: 0 }),
    lender(13, '何小满', { used: 296, lent: 9, borrowed: 38, refused: 2 }),
    lender(14, '陈建国', { used: 1_437, lent: 0, borrowed: 225, refused: 31 }),
  ],
  total: { used: 1_833, lent: 266, borrowed: 266, refused: 33 },
}
const REPLAYED: Replay = {
  ...{ from: ago(43_200), until: ago(1), asks: 1_866, met: 33 },
  before: { answered: 1_833, borrowed: 266, refused: 33 },
  after: { answered: 1_819, borrowed: 0, refused: 47 },
  people: [
    {
      ...{ user: { id: 14, username: 'chen', nickname: '陈建国' } },
      ...{
        before: { answered: 1_437, borrowed: 225, refused: 31 },
        after: { answered: 1_452, borrowed: 0, refused: 16 },
      },
    },
    {
      ...{ user: { id: 13, username: 'he', nickname: '何小满' } },
      ...{ before: { answered: 296, borrowed: 38, refused: 2 }, after: { answered: 267, borrowed: 0, refused: 31 } },
    },
  ],
}
const ofAll = { ends_at: null, reported: true, mine: null, people: [] }
const SHARES: Share[] = [
  {
    ...{ upstream_id: 3, upstream_ids: [3], source: 'openai_api', label: 'Second', sharing: 'shares', names: 'full' },
    ...{ currency: 'EUR', is_owner: false },
    windows: [
      { ...HOURS, ...ofAll, capacity: 50, used: 35 },
      { ...WEEK, ...ofAll, capacity: 600, used: 402 },
    ],
  },
]

const UPSTREAMS: UpstreamRead[] = [
  anUpstreamOfSettings({ id: 1, label: 'Main', base_url: 'https://api.openai.com/v1/', last_tested: ago(2) }),
  anUpstream({
    id: 2,
    label: 'Workshop team',
    health: {
      state: 'cooling',
      since: ago(1),
      until: new Date(Date.now() + 252_000).toISOString(),
      message: 'errors.openai.429',
    },
  }),
  anUpstream({
    id: 3,
    ...SHARED,
    base_url: 'http://192.168.1.20:11434/v1/',
    last_test: { ...last_test, message: 'errors.httpError' },
  }),
  anUpstream({
    id: 4,
    label: 'Old spare',
    health: { state: 'attention', since: ago(90), until: ago(-1), message: 'errors.openai.401' },
    last_test: {
      ...last_test,
      duration: 180,
      message: 'errors.openai.401',
      listed: null,
      steps: [
        { step: 'address', outcome: 'ok' },
        { step: 'key', outcome: 'failed' },
        { step: 'models', outcome: 'untried' },
      ],
    },
  }),
  anUpstream({ id: 5, label: 'Project key', base_url: null, last_tested: ago(2) }),
  anUpstream({ id: 6, label: 'Lab gateway', paused_since: '2026-11-18T06:00:00Z', paused_by: 7 }),
]

const LOADS: UpstreamLoad[] = [
  aLoad({ id: 1, places: 1 }),
  aLoad({ id: 2, running: 0, used: 100, allowed: 100, conversations: 231 }),
  aLoad({ id: 3, running: 0, places: 1, used: 12, conversations: 188 }),
  aLoad({ id: 4, running: 0, places: 1, used: 0, allowed: null, conversations: 74 }),
  aLoad({ id: 5, running: 2, places: 8, used: 1_407, allowed: null, conversations: 179 }),
  aLoad({
    id: 6,
    running: 0,
    places: 4,
    used: 0,
    allowed: null,
    conversations: 0,
    paused_by: { id: 7, username: 'zhouming', nickname: '周明' },
  }),
]

const TESTED: UpstreamDraftTest = {
  ...last_test,
  listed: 12,
  proxy: 'settings',
  models: ['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'o3-mini', 'qwen3:32b', 'llama3.3:70b'].map(name => ({
    code: name,
    name,
    context_length: name.startsWith('gpt-4') ? 128_000 : null,
  })),
}
