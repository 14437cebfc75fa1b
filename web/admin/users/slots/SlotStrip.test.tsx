import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { type TimeSlot, WHOLE_DAY } from '#contract/limits.ts'
import { answerCalls, freshDevice } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { SlotsField } from './SlotStrip.tsx'

const MORNING: TimeSlot = { start_time: '07:00:00', end_time: '11:00:00' }

/** The times in words, as they stand below the strip. */
async function shown(...times: string[]): Promise<void> {
  await expect.element(page.getByText(times.join('，'), { exact: true })).toBeVisible()
}

function Field({ first }: { first: readonly TimeSlot[] }) {
  const [current, setCurrent] = useState(first)
  return <SlotsField slots={current} onChange={setCurrent} />
}

/** A strip of 720 px: a pixel is two minutes. */
async function openStrip(...first: TimeSlot[]) {
  answerCalls({})
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <div style={{ width: 720 }}>
          <Field first={first} />
        </div>
      </Kit>
    </QueryClientProvider>,
  )
}

async function drag(from: number, to: number) {
  const strip = page.getByTestId('slot-strip').element()
  const { left, top, height } = strip.getBoundingClientRect()
  const y = top + height / 2
  const target = document.elementFromPoint(left + from / 2, y) ?? strip
  const at = (minute: number) => ({ clientX: left + minute / 2, clientY: y, button: 0, pointerId: 1, bubbles: true })
  target.dispatchEvent(new PointerEvent('pointerdown', at(from)))
  strip.dispatchEvent(new PointerEvent('pointermove', at(to)))
  strip.dispatchEvent(new PointerEvent('pointerup', at(to)))
}

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  // A pointer that a script makes cannot be captured.
  Element.prototype.setPointerCapture = () => undefined
  await loadAdminTexts()
})

describe('the strip of a day', () => {
  test('a slot is drawn where there is none', async () => {
    await openStrip(MORNING)
    await drag(13 * 60, 23 * 60)
    await shown('07:00–11:00', '13:00–23:00')
  })
  test('where every hour is open, the first slot that is drawn is the only one', async () => {
    await openStrip(WHOLE_DAY)
    await drag(9 * 60, 17 * 60)
    await shown('09:00–17:00')
  })
  test('a slot is moved at its middle, beyond midnight too', async () => {
    await openStrip(MORNING)
    await drag(9 * 60, 10 * 60)
    await shown('08:00–12:00')
    await drag(10 * 60, 24 * 60)
    await shown('22:00–02:00')
  })
  test('a slot is resized at its ends', async () => {
    await openStrip(MORNING)
    await drag(7 * 60 + 4, 6 * 60 + 4)
    await shown('06:00–11:00')
    await drag(11 * 60 - 4, 12 * 60 - 4)
    await shown('06:00–12:00')
  })
  test('arrow keys move a slot, with Shift its end; Delete removes it', async () => {
    await openStrip(MORNING)
    const slot = page.getByRole('slider', { name: '第 1 段' })
    ;(slot.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(slot).toHaveAttribute('aria-valuetext', '07:15–11:15')
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{PageDown}')
    await expect.element(slot).toHaveAttribute('aria-valuetext', '06:15–10:00')
    await userEvent.keyboard('{Delete}')
    await shown('全天')
  })
  test('times are typed as well, and what is none is said beside the field', async () => {
    await openStrip(MORNING)
    await page.getByRole('button', { name: '修改' }).click()
    await page.getByRole('textbox', { name: '第 1 段的结束' }).fill('24:00')
    await shown('07:00–24:00')
    await page.getByRole('textbox', { name: '第 1 段的开始' }).fill('25')
    await expect.element(page.getByText('写成 07:30 这样')).toBeVisible()
    await page.getByRole('button', { name: '加一段' }).click()
    await page.getByRole('button', { name: '删掉第 1 段' }).click()
    await shown('08:00–12:00')
  })
})
