import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Share } from '#contract/shares.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { answerCalls, aUser, success } from '#web/foundation/api.testing.ts'
import { aLoad, anUpstream } from './state/builders.testing.ts'
import { UpstreamsScreen } from './UpstreamsScreen.tsx'

const HOURS = { unit: 'asks', amount: 50, window: { kind: 'rolling', seconds: 18_000 }, models: null } as const
const WEEK = { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null } as const
const shared = (more: Partial<UpstreamRead> = {}) =>
  anUpstream({
    windows: [HOURS, WEEK],
    sharing: 'shares',
    owner_id: 7,
    owner_name: '周明',
    reserve_percent: 12,
    ...more,
  })
const used = { ends_at: null, reported: false, mine: null, people: [] }
const SHARE: Share = {
  ...{
    upstream_id: 3,
    upstream_ids: [3],
    source: 'openai_api',
    label: 'Second',
    sharing: 'shares',
    names: 'full',
    currency: 'CNY',
    is_owner: false,
  },
  windows: [
    { ...HOURS, ...used, models: null, capacity: 50, used: 35 },
    { ...WEEK, ...used, models: null, capacity: 600, used: 402.5 },
  ],
}

async function openSharing(upstream: UpstreamRead, shares: readonly Share[] = []) {
  let changed = upstream
  const made = answerCalls({
    'GET /system/upstreams': () => success([changed]),
    'GET /system/upstreams/loads': success({ now: new Date().toISOString(), loads: [aLoad()] }),
    'GET /status/portal': success(null),
    'GET /shares': success(shares),
    'GET /plan': success([]),
    'GET /system/config': success({}),
    'GET /user': success([
      { ...aUser({ id: 7, nickname: '周明' }), remark: null },
      { ...aUser({ id: 8 }), remark: null },
    ]),
    'GET /system/upstreams/3/prices': success({ currency: 'CNY', prices: [], coming: [] }),
    'POST /system/upstreams/3/windows/accept': () => success((changed = shared())),
    'PATCH /system/upstreams/3': success(changed),
  })
  await openAdminScreen(UpstreamsScreen, '/admin/openai_settings?open=3')
  await page.getByRole('tab', { name: '共享' }).click()
  return made
}
const sent = (made: { call: string; body?: unknown }[], verb: string) =>
  made.filter(({ call }) => call.startsWith(verb)).map(({ body }) => body)

describe('the windows of an account', () => {
  test('are added as they are usual, the shortest first, and bring shares with the first', async () => {
    const made = await openSharing(anUpstream())
    await expect.element(page.getByText('还没有窗口', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: '加一个窗口' }).click()
    await page.getByRole('button', { name: '加一个窗口' }).click()
    await expect.poll(() => page.getByTestId('account-window').elements().length).toBe(2)
    await expect.element(page.getByRole('radio', { name: '份额' })).toBeChecked()
    await page.getByLabelText('数量').first().fill('80')
    await page.getByTestId('save').click()
    await expect.poll(() => sent(made, 'PATCH')).toHaveLength(1)
    expect(sent(made, 'PATCH')).toEqual([
      {
        ...{ windows: [{ ...HOURS, amount: 80 }, WEEK], sharing: 'shares' },
        expected: { windows: [], sharing: 'first_come' },
      },
    ])
  })
  test('are not saved without an amount, and are each there once', async () => {
    await openSharing(shared())
    await page.getByLabelText('窗口').first().selectOptions('week')
    await expect.element(page.getByText('已经有这个窗口了')).toBeVisible()
    await page.getByLabelText('数量').first().fill('')
    await expect.element(page.getByTestId('save')).toBeDisabled()
  })
  test('say what the account reports, and what is as it was set', async () => {
    const ends_at = new Date(Date.now() + 3_600_000).toISOString()
    const report = { ...HOURS, models: null, capacity: 45, used: 12, ends_at, pending_capacity: null }
    await openSharing(shared({ reported_windows: [{ ...report, reported_at: new Date().toISOString() }] }))
    const [hours, week] = [page.getByTestId('window-origin').nth(0), page.getByTestId('window-origin').nth(1)]
    await expect.poll(() => hours.element().textContent).toMatch(/账号自己说：45\s次/)
    await expect.poll(() => hours.element().textContent).toMatch(/已用\s12\s次/)
    await expect.poll(() => hours.element().textContent).toMatch(/重置/)
    await expect.poll(() => week.element().textContent).toMatch(/按设置/)
  })
  test('that became another one wait for a yes, with what was seen', async () => {
    const report = { ...HOURS, models: null, capacity: 50, used: 12, ends_at: null, pending_capacity: 200 }
    const made = await openSharing(shared({ reported_windows: [{ ...report, reported_at: new Date().toISOString() }] }))
    await expect.element(page.getByText('窗口变了')).toBeVisible()
    await page.getByTestId('window-pending').getByRole('button', { name: '就按 200 次算' }).click()
    await expect.element(page.getByTestId('window-pending')).not.toBeInTheDocument()
    expect(sent(made, 'POST')).toEqual([{ ...HOURS, amount: 200 }])
  })
})

describe('how an account is shared', () => {
  test('says what the owner keeps, rounded up to whole asks, and what ends with first come', async () => {
    const made = await openSharing(shared(), [SHARE])
    await expect.element(page.getByText('6 / 50 次', { exact: false })).toBeVisible()
    await page.getByLabelText('主人自留').fill('13')
    await expect.element(page.getByText('7 / 50 次', { exact: false })).toBeVisible()
    await page.getByLabelText('主人', { exact: true }).selectOptions('8')
    await page.getByLabelText('给别人留').selectOptions('nothing')
    await page.getByLabelText('名字').selectOptions('initials')
    await page.getByLabelText('同一池').fill('实验室')
    await page.getByText('先到先得', { exact: true }).click()
    await expect.element(page.getByText('保存后份额马上结束')).toBeVisible()
    await page.getByTestId('save').click()
    await expect.poll(() => sent(made, 'PATCH')).toHaveLength(1)
    expect(sent(made, 'PATCH')[0]).toMatchObject({
      ...{
        sharing: 'first_come',
        reserve_percent: 13,
        owner_id: 8,
        keep: 'nothing',
        names: 'initials',
        pool: '实验室',
      },
      expected: { sharing: 'shares', reserve_percent: 12, owner_id: 7, keep: 'usual', names: 'full', pool: null },
    })
  })
  test('is seen in the list: the shortest window as a ruler, the next as a bar, both in one line', async () => {
    await openSharing(shared(), [SHARE])
    const row = page.getByTestId('admin-row')
    await expect.element(row.getByText('份额')).toBeVisible()
    await expect.element(row.getByRole('meter').first()).toHaveAttribute('aria-valuenow', '35')
    await expect.element(row.getByRole('meter').last()).toHaveAttribute('aria-valuemax', '600')
    await expect.poll(() => row.element().textContent).toMatch(/35\s\/\s50/)
    await expect.poll(() => row.element().textContent).toMatch(/402\.5\s\/\s600\s*每周/)
  })
})
