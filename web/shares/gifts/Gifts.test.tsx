import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ShareLedger, ShareLine } from '#contract/shareLedger.ts'
import type { ShareGift } from '#contract/shares.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aMyShare, aPerson, aShare, aWindow } from '../builders.testing.ts'
import { ShareDialogHost } from './ShareDialogHost.tsx'
import { closeShareDialog, openShareDialog, type ShareDialog } from './shareDialog.ts'

const END = new Date(Date.now() + 3 * 86_400_000)

const week = aWindow({
  window: { kind: 'week' },
  capacity: 600,
  ends_at: END.toISOString(),
  mine: aMyShare({ share: 96, used: 70 }),
  people: [
    aPerson({ is_me: true, name: '何小满', user_id: 1, share: 96, used: 70 }),
    aPerson({ name: '林小雨', user_id: 2, share: 96, used: 61 }),
    aPerson({ name: '周明', user_id: 3, is_owner: true, share: 132, used: 2 }),
  ],
})
const share = aShare({ windows: [aWindow(), week] })

const gift: ShareGift = {
  ...{ id: 7, upstream_id: 1, label: '主账号', unit: 'asks', amount: 5, used: 0, of_reserve: false },
  ...{ from: { id: 1, name: '何小满' }, to: { id: 2, name: '林小雨' } },
  ...{ time: new Date().toISOString(), until: END.toISOString(), taken_back_at: null },
}
const aLine = (line: Partial<ShareLine>): ShareLine => ({
  ...{ kind: 'asked', time: new Date().toISOString(), model: 'gpt_4', is_quiet: false, is_borrowed: false },
  ...{ name: null, until: null, gift_id: null, amount: 1, change: -1, left: 26, ...line },
})
const ledger: ShareLedger = {
  ...{ upstream_id: 1, label: '主账号', unit: 'asks', currency: 'CNY', window: { kind: 'week' } },
  ...{ from: new Date().toISOString(), ends_at: END.toISOString(), share: 91, left: 21 },
  coming: [{ gift, at: gift.until, amount: 5 }],
  lines: [
    aLine({ kind: 'given', name: '林小雨', until: gift.until, gift_id: 7, amount: 5, change: -5, left: 21 }),
    aLine({ is_quiet: true, amount: 0.5, change: -0.5, left: 26 }),
    aLine({ kind: 'lent', name: '陈建国', amount: 2, change: 0, left: 26.5 }),
  ],
}

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  closeShareDialog()
  await page.viewport(1440, 900)
})

async function open(kind: ShareDialog['kind'], answers: Parameters<typeof answerCalls>[0] = {}) {
  const receivers = [
    { user_id: 2, name: '林小雨', left: 35 },
    { user_id: 9, name: '刘奶奶', left: null },
  ]
  const asked = answerCalls({
    ...{ 'GET /shares': success([share]), 'GET /shares/1/receivers': success(receivers) },
    ...answers,
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ShareDialogHost />
      </Kit>
    </QueryClientProvider>,
  )
  openShareDialog({ kind, upstream_id: 1 })
  return asked
}

describe('giving', () => {
  test('says what both have then, and is sent until the end that was chosen', async () => {
    await open('give', { 'POST /shares/gift': success(gift) })
    const form = page.getByTestId('gift-form')
    await expect
      .element(form)
      .toMatchTextContent(/你还有 26 次.*送出后你还有 21 次，林小雨有 40 次。借用之前先用这 5 次/)
    const pieces = [...form.element().querySelectorAll<HTMLElement>('i[data-amount]')].map(i => i.dataset['amount'])
    expect(pieces).toEqual(['70', '21', '5'])
    await page.getByTestId('gift-send').click()
    await expect.element(form).not.toBeInTheDocument()
  })

  test('goes to somebody who never asked as well', async () => {
    const asked = await open('give', { 'POST /shares/gift': success(gift) })
    await page.getByLabelText('给谁').selectOptions('刘奶奶')
    await expect.element(page.getByTestId('gift-form')).toMatchTextContent(/刘奶奶提问时先用自己的，再用这 5 次/)
    await page.getByTestId('gift-send').click()
    await expect.poll(() => asked.find(({ call }) => call === 'POST /shares/gift')?.body).toMatchObject({ user_id: 9 })
  })

  test('of more than is left is not sent', async () => {
    await open('give')
    await page.getByLabelText('次', { exact: true }).fill('27')
    await page.getByTestId('gift-send').click()
    await expect.element(page.getByTestId('gift-form')).toMatchTextContent(/要大于 0 的整数，最多 26 次/)
  })
})

describe('asking for more of an account', () => {
  test('says who will see what', async () => {
    await open('ask')
    await expect
      .element(page.getByTestId('ask-share-form'))
      .toMatchTextContent(/周明看得到：你用了 70 \/ 96，没有借。看不到对话内容.*去要 10 次/)
  })
})

describe('one’s ledger of an account', () => {
  test('has what will come back on top, halves as halves, and what is unused to be taken back', async () => {
    const asked = await open('ledger', {
      'GET /shares/1/ledger': success(ledger),
      'DELETE /shares/gift/7': success({ ...gift, taken_back_at: new Date().toISOString() }),
    })
    const view = page.getByTestId('share-ledger')
    await expect.element(view).toMatchTextContent(/林小雨没用完的回来至多 \+5.*送给林小雨，用到.*−5/)
    await expect.element(view).toMatchTextContent(/提问，空闲时−½26.*陈建国借走 2 次，你没在用不扣26½/)
    await page.getByTestId('gift-take-back').click()
    await expect.poll(() => useToasts.getState().toasts.map(({ title }) => title)).toContain('没用的收回了')
    expect(asked.map(({ call }) => call)).toContain('DELETE /shares/gift/7')
  })
})
