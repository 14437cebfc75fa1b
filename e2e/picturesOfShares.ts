import type { Page } from '@playwright/test'
import type { Share } from '#contract/shares.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { aFamily, aMyShare, aShare, aWindow } from '#web/shares/builders.testing.ts'
import type { PictureSession } from './pictureSession.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** The family of the drawing, in the account that answers here. */
function drawn(upstream_id: number, hours: Partial<Share['windows'][number]> = {}): Share {
  const week = aFamily().map(person => ({
    ...{ ...person, share: person.share * 12, used: person.used * 10 + 4, borrowed: 0, kept: person.kept * 8 },
  }))
  return aShare({
    ...{ upstream_id, upstream_ids: [upstream_id] },
    windows: [
      aWindow({ used: 35, people: aFamily(), mine: aMyShare({ used: 6, may_borrow: 4 }), ...hours }),
      aWindow({
        ...{ window: { kind: 'week' }, capacity: 600, used: 402, people: week, ends_at: inHours(70) },
        mine: aMyShare({ share: 96, used: 64, may_borrow: 24 }),
      }),
    ],
  })
}

async function answerShares(page: Page, share: Share): Promise<void> {
  await page.unroute('**/api/shares')
  await page.route('**/api/shares', route =>
    route.fulfill({ json: { code: 200, message: 'tips.requestSuccess', result: [share] } }),
  )
}

/** An account of which everybody has a part: the bar, opened, a gift, asking for more, quiet asks, and a refusal. */
export async function shares({ page, look: { width }, portal, take }: PictureSession): Promise<void> {
  const admin = await portal.admin()
  const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
  const account = upstreams.find(({ source, removable }) => source === 'openai_api' && !removable)
  if (account === undefined) throw new Error('the settings have an account')
  const set = (sharing: object) => admin.result('PATCH', `/system/upstreams/${account.id}`, sharing)
  const isNarrow = width < 1000
  const openPanel = async () => {
    await page.getByTestId(isNarrow ? 'meter-pill' : 'meter-details').click()
    await page.getByTestId('shares-panel').getByTestId('share-row').first().waitFor()
    await page.waitForTimeout(300)
  }
  const open = async () => {
    await page.goto('/conversation')
    await page.getByTestId('composer').waitFor()
    await page.waitForTimeout(600)
  }
  const reopen = async (share: Share) => {
    await answerShares(page, share)
    await open()
  }
  const roomy = { unit: 'asks', amount: 50, window: { kind: 'rolling', seconds: 18_000 }, models: null }
  await set({ windows: [roomy], sharing: 'shares' })
  await reopen(drawn(account.id))
  await take('shares')
  await openPanel()
  await take('shares-panel')
  await page.getByTestId('shares-panel').getByTestId('share-pieces').first().focus()
  await page.keyboard.press('ArrowRight')
  await take('shares-piece')
  await page.getByTestId('share-how').scrollIntoViewIfNeeded()
  await take('shares-actions')
  await page.getByTestId('gift').click()
  await page.getByTestId('gift-form').waitFor()
  await page.waitForTimeout(300)
  await take('shares-gift')
  await page.keyboard.press('Escape')
  await page.getByTestId('composer').fill('把三年的电费按季节画成一张图，再写一段说明')
  // On a phone it opens at a long press.
  if (width >= 760) {
    await page.getByTestId('send-ways').click()
    await page.getByTestId('send-quiet').waitFor()
    await take('shares-quiet-menu')
    await page.keyboard.press('Escape')
  }
  await reopen(drawn(account.id, { mine: aMyShare({ used: 8, may_borrow: 3, next_own_at: inHours(1) }) }))
  await take('shares-borrowing')
  await page.unroute('**/api/shares')
  const hour = { unit: 'asks', amount: 1, window: { kind: 'rolling', seconds: 3_600 }, models: null }
  await set({ windows: [hour], sharing: 'shares' })
  await open()
  await take('shares-refused')
  await set({ windows: [], sharing: 'first_come' })
}
