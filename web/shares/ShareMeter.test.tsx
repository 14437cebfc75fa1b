import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Share } from '#contract/shares.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aFamily, aMyShare, aShare, aWindow } from './builders.testing.ts'
import { ShareMeter, SharePill } from './lazyShares.ts'
import { refreshShares } from './queries.ts'

const bar = page.getByTestId('share-bar')
/** Today, so that the day is not said. */
const today = (hours: number, minutes: number) => new Date(new Date().setHours(hours, minutes, 0, 0)).toISOString()
const ignore = () => undefined

beforeEach(() => {
  freshDevice()
  queryClient.clear()
})

async function aMeter(share: Share) {
  let current = share
  answerCalls({ 'GET /shares': () => success([current]) })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <div data-testid="card" style={{ width: 256 }}>
          <ShareMeter pool={1} name="主账号" dots={<i data-testid="dots" />} users="位子空着" onLoadError={ignore} />
        </div>
        <span data-testid="pill">
          <SharePill pool={1} fallback="" onLoadError={ignore} />
        </span>
      </Kit>
    </QueryClientProvider>,
  )
  await expect.element(bar).toBeVisible()
  return {
    change(next: Share) {
      current = next
      refreshShares(queryClient)
    },
  }
}

const withMine = (mine: Parameters<typeof aMyShare>[0], fields: Parameters<typeof aWindow>[0] = {}) =>
  aShare({ windows: [aWindow({ used: 35, people: aFamily(), ...fields, mine: aMyShare(mine) })] })
const card = page.getByTestId('card')

describe('an account of which everybody has a part', () => {
  test('says what is left of mine, and what can be borrowed', async () => {
    await aMeter(withMine({ used: 6, may_borrow: 4 }))
    await expect.element(card).toHaveTextContent('主账号你的 8 次里还有 2 次；另有 4 次可以借位子空着')
    expect(bar.element().getAttribute('role')).toBe('meter')
    expect(bar.element().getAttribute('aria-valuetext')).toBe(
      '5小时内共用 35 / 50，你的 8 次里还有 2 次；另有 4 次可以借',
    )
    await expect.element(page.getByTestId('pill')).toHaveTextContent('还有 2 次')
    await expect.element(page.getByTestId('dots')).toBeInTheDocument()
  })

  test('follows what is borrowed, until nothing is left to borrow, and then nothing at all', async () => {
    const { change } = await aMeter(withMine({ used: 11, borrowed: 3, may_borrow: 1 }))
    await expect.element(card).toHaveTextContent('主账号在借用你的 8 次用完了，借了 3 次；还有 1 次可以借位子空着')
    await expect.element(page.getByTestId('share-borrowed').first()).toBeVisible()
    change(withMine({ used: 12, borrowed: 4, next_own_at: today(14, 20), next_own: 1 }))
    await expect.element(card).toMatchTextContent(/等到 14:20你的 8 次用完了，现在没有可借的。下一次自己的：14:20/)
    await expect.element(page.getByTestId('pill')).toHaveTextContent('14:20')
    change(withMine({ used: 12, borrowed: 4, next_own_at: today(14, 20) }, { used: 50 }))
    await expect.element(card).toMatchTextContent(/已满50 次都用完了，谁都要等。下一次自己的：14:20/)
  })

  test('never turns the bar amber or red', async () => {
    const colours = () => [...bar.element().querySelectorAll('i')].map(piece => getComputedStyle(piece).backgroundColor)
    const { change } = await aMeter(withMine({ used: 6, may_borrow: 4 }))
    const calm = new Set(colours())
    change(withMine({ used: 8 }, { used: 50 }))
    await expect.element(card).toMatchTextContent(/已满/)
    expect(colours().filter(colour => !calm.has(colour))).toEqual([])
  })

  test('writes halves as ½', async () => {
    await aMeter(withMine({ used: 5.5, may_borrow: 0 }))
    await expect.element(card).toMatchTextContent(/你的 8 次里还有 2½ 次/)
  })

  test('says so to whoever has no share of their own', async () => {
    const { change } = await aMeter(withMine({ share: 0, may_borrow: 3 }))
    await expect.element(card).toMatchTextContent(/没有自己的份额，有 3 次可以借/)
    change(withMine({ share: 0 }))
    await expect.element(card).toMatchTextContent(/没有自己的份额，现在没有可借的/)
  })

  test('says money in the currency, and tokens in short', async () => {
    const { change } = await aMeter(
      withMine({ share: 4, used: 2, may_borrow: 1 }, { unit: 'money', capacity: 20, used: 10 }),
    )
    await expect.element(card).toMatchTextContent(/你的 ¥4.00里还有 ¥2.00；另有 ¥1.00可以借/)
    change(withMine({ share: 610_000, used: 0 }, { unit: 'tokens', capacity: 2_000_000 }))
    await expect.element(card).toMatchTextContent(/你的 61万 token里还有 61万 token/)
  })

  test('has pieces in the order of the drawing, each at least two pixels wide, mine the highest', async () => {
    await aMeter(withMine({ used: 6, may_borrow: 4 }, { capacity: 50_000, people: [] }))
    const pieces = [...bar.element().querySelectorAll('i')].map(piece => piece.getBoundingClientRect())
    expect(pieces.map(({ width }) => width >= 2)).not.toContain(false)
    expect(pieces.map(({ height }) => height)).toEqual([12, 8, 12, 8])
    expect(bar.element().scrollWidth).toBeLessThanOrEqual(256)
  })
})
