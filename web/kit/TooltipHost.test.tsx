import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { IconButton } from './IconButton.tsx'
import { IconCode } from './icons.ts'
import { Kit } from './Kit.tsx'
import { TooltipHost } from './TooltipHost.tsx'

const tip = () => document.querySelector<HTMLElement>('[aria-hidden="true"][style*="visibility: visible"]')

beforeEach(async () => {
  await page.viewport(400, 300)
  await render(
    <Kit>
      <div style={{ textAlign: 'right' }}>
        <IconButton label="一个相当长的按钮名称">
          <IconCode size={18} />
        </IconButton>
      </div>
      <TooltipHost />
    </Kit>,
  )
})

describe('the tip of a button without a word on it', () => {
  test('shows when the button is focused by keyboard, inside the window', async () => {
    await userEvent.keyboard('{Tab}')
    await expect.poll(() => tip()?.textContent).toBe('一个相当长的按钮名称')
    const { left = 0, right = 0, bottom = 0 } = tip()?.getBoundingClientRect() ?? {}
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(window.innerWidth)
    expect(bottom).toBeLessThanOrEqual(window.innerHeight)
  })
  test('shows under the pointer, and hides when it leaves', async () => {
    await page.getByRole('button').hover()
    await expect.poll(tip).not.toBe(null)
    await page.getByRole('button').unhover()
    await expect.poll(tip).toBe(null)
  })
  test('hides when a key is pressed', async () => {
    await userEvent.keyboard('{Tab}')
    await expect.poll(tip).not.toBe(null)
    await userEvent.keyboard('{Escape}')
    await expect.poll(tip).toBe(null)
  })
  test('is not read twice: the button already has that name', async () => {
    await userEvent.keyboard('{Tab}')
    await expect.poll(tip).not.toBe(null)
    await expect.element(page.getByRole('button', { name: '一个相当长的按钮名称' })).toHaveFocus()
    expect(tip()?.getAttribute('aria-hidden')).toBe('true')
  })
})
