import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Share } from '#contract/shares.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aFamily, aMyShare, aPerson, aShare, aWindow } from './builders.testing.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { MyShares } from './MyShares.tsx'
import { SharesPanel } from './SharesPanel.tsx'

const panel = page.getByTestId('shares-panel')
const rows = page.getByTestId('share-row')
const texts = () => rows.elements().map(row => row.textContent)

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  await loadTexts('shares')
  await page.viewport(1440, 900)
})

const week = aWindow({
  window: { kind: 'week' },
  capacity: 600,
  used: 402,
  reported: true,
  ends_at: new Date(2026, 10, 23).toISOString(),
  mine: aMyShare({ share: 96, used: 61, may_borrow: 24 }),
  people: [aPerson({ is_me: true, name: '林小雨', user_id: 1, share: 96, used: 61 })],
})
const family = aShare({
  windows: [aWindow({ used: 35, people: aFamily(), mine: aMyShare({ used: 6, may_borrow: 4 }) }), week],
})

async function aPanel(share: Share) {
  answerCalls({ 'GET /shares': success([share]) })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <SharesPanel pool={1} name="主账号" updated="13:10 更新" queue={<p>有人在等</p>} />
        <MyShares />
      </Kit>
    </QueryClientProvider>,
  )
  await expect.element(panel).toBeVisible()
}

describe('the account, opened', () => {
  test('has every window with what it leaves, and who waits', async () => {
    await aPanel(family)
    await expect.element(panel).toMatchTextContent(/^主账号正常13:10 更新/)
    const windows = panel.getByTestId('share-window')
    await expect.element(windows.first()).toHaveTextContent('5小时共用 35 / 50你的 8 次里还有 2 次；另有 4 次可以借')
    await expect
      .element(windows.last())
      .toMatchTextContent(
        /^本周共用 402 \/ 600你的 96 次里还有 35 次；另有 24 次可以借11月23日 00:00 重新算，账号自己报的数$/,
      )
    await expect.element(panel).toMatchTextContent(/有人在等/)
  })

  test('names a piece of a bar under the arrow keys and at a tap, in the place of the sum', async () => {
    await aPanel(family)
    const first = panel.getByTestId('share-window').first()
    const pieces = first.getByTestId('share-pieces')
    const named = () => first.element().textContent?.slice(0, 14)
    pieces.element().focus()
    await expect.poll(named).toMatch(/^5小时你用的 6 次/)
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(named).toMatch(/^5小时陈建国 13 次/)
    await userEvent.keyboard('{End}')
    await expect.poll(named).toMatch(/^5小时可以借/)
    await pieces.click({ position: { x: 2, y: 8 } })
    await expect.poll(named).toMatch(/^5小时你用的 6 次/)
    pieces.element().blur()
    await userEvent.hover(panel.getByTestId('share-how'))
    await expect.poll(named).toMatch(/^5小时共用 35/)
  })

  test('has everybody in a row, with what they borrowed or lent', async () => {
    await aPanel(family)
    expect(texts()).toEqual([
      '林你6 / 8',
      '陈陈建国13 / 8，借了 5',
      '何何小满5 / 8',
      'MMei Ling5 / 2，借了 3',
      '孙孙伯伯3 / 4',
      '周周明2 / 6，自留',
      'AAhmad1 / 2',
      '周周婷0 / 8，借出 6',
      '刘刘奶奶0 / 4，借出 2',
    ])
    expect(rows.nth(1).element().querySelectorAll('i')).toHaveLength(3)
  })

  test('shows the people of the window that is chosen', async () => {
    await aPanel(family)
    await panel.getByRole('button', { name: '本周' }).click()
    expect(texts()).toEqual(['林你61 / 96'])
  })

  test('folds more than nine people', async () => {
    const people = [...aFamily(), ...Array.from({ length: 5 }, (_, at) => aPerson({ user_id: 20 + at, name: '某人' }))]
    await aPanel(aShare({ windows: [aWindow({ people })] }))
    expect(texts()).toHaveLength(9)
    await panel.getByRole('button', { name: '另外 5 人' }).click()
    expect(texts()).toHaveLength(14)
  })

  test('on a phone has five people and the legend folded', async () => {
    await page.viewport(390, 844)
    await aPanel(family)
    expect(texts()).toHaveLength(5)
    await expect.element(panel.getByText('份额到这里')).not.toBeInTheDocument()
    await panel.getByRole('button', { name: '另外 4 人，图例' }).click()
    expect(texts()).toHaveLength(9)
    await expect.element(panel.getByText('份额到这里')).toBeVisible()
  })

  test('has first letters, or nobody, where the account shows no names', async () => {
    const initials = aFamily().map(person => ({ ...person, name: person.name?.slice(0, 1) ?? null, user_id: null }))
    await aPanel(aShare({ names: 'initials', windows: [aWindow({ people: initials })] }))
    await expect.element(panel).toMatchTextContent(/管理员设为不显示名字，只有姓名的第一个字/)
    expect(panel.element().textContent).not.toMatch(/建国|小满/)
  })

  test('says the rule in words, and comes back', async () => {
    await aPanel(family)
    await panel.getByTestId('share-how').click()
    const rule = page.getByTestId('share-rule')
    await expect.element(rule).toMatchTextContent(/给别人留着的不借/)
    await rule.getByRole('button', { name: '回到份额' }).click()
    await expect.element(panel).toBeVisible()
  })
})

describe('my shares', () => {
  test('are those of the accounts that have shares, and no part of others', async () => {
    await aPanel(family)
    const mine = page.getByTestId('my-shares')
    await expect.element(mine).toMatchTextContent(/^我的份额主账号5小时共用 35 \/ 50/)
    expect(mine.getByTestId('share-bar').elements()).toHaveLength(2)
    expect(mine.getByTestId('share-row').elements()).toHaveLength(0)
  })
})
