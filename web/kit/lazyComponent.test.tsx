import { StrictMode, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useToasts } from '#web/foundation/toasts.ts'
import { Kit } from './Kit.tsx'
import { lazyComponent } from './lazyComponent.tsx'
import { Toasts } from './Toasts.tsx'

const Card = ({ name }: { name: string }) => <p>卡片 {name}</p>
const load = vi.fn(async () => Card)

/** A button that opens a part, beside what somebody writes. */
async function given(wanted = true): Promise<void> {
  const Late = lazyComponent(load)
  function Screen() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <textarea aria-label="问题" />
        <button type="button" onClick={() => setOpen(true)}>
          打开
        </button>
        {open && <Late name="一" needed={wanted} fallback={<p>等一下</p>} onLoadError={() => setOpen(false)} />}
      </>
    )
  }
  await render(
    <StrictMode>
      <Kit>
        <Screen />
        <Toasts />
      </Kit>
    </StrictMode>,
  )
  await page.getByLabelText('问题').fill('写到一半')
}

const open = () => page.getByRole('button', { name: '打开' }).click()

beforeEach(() => {
  useToasts.setState({ toasts: [] })
  load.mockReset().mockImplementation(async () => Card)
})

describe('a part that is fetched when it is used', () => {
  test('is rendered once it is loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof Card>()
    load.mockReturnValue(promise)
    await given()
    await open()
    await expect.element(page.getByText('等一下')).toBeVisible()
    resolve(Card)
    await expect.element(page.getByText('卡片 一')).toBeVisible()
  })
  test('leaves the page intact when it cannot be loaded, and can be loaded again', async () => {
    load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await given()
    await open()
    await expect.element(page.getByRole('alert').getByText('这一部分没有取到')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '重新载入' })).toBeVisible()
    await expect.element(page.getByLabelText('问题')).toHaveValue('写到一半')
    await expect.element(page.getByText('等一下')).not.toBeInTheDocument()
    useToasts.setState({ toasts: [] })
    await open()
    await expect.element(page.getByText('卡片 一')).toBeVisible()
  })
  test('reports no failure while it is only loaded ahead', async () => {
    load.mockRejectedValue(new TypeError('Failed to fetch'))
    await given(false)
    await open()
    await expect.poll(() => load.mock.settledResults.filter(({ type }) => type === 'rejected').length).toBe(2)
    await expect.element(page.getByText('等一下')).toBeVisible()
    expect(useToasts.getState().toasts).toEqual([])
  })
})
