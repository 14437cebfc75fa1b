import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TerminalLines } from './TerminalLines.tsx'
import { Kit } from './Kit.tsx'
import { Illustration } from './Illustration.tsx'
import { Note } from './Note.tsx'
import { UsageMeter } from './UsageMeter.tsx'
import { UsageDots } from './Dots.tsx'
import { useCopied } from './useCopied.ts'

describe('a note', () => {
  test('says what the state is, why, and what to do', async () => {
    await render(
      <Note tone="amber" title="次数已用完" actions={<button type="button">换模型</button>}>
        14:20 恢复
      </Note>,
    )
    await expect.element(page.getByText('次数已用完')).toBeVisible()
    await expect.element(page.getByText('14:20 恢复')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '换模型' })).toBeVisible()
    expect(page.getByRole('alert').elements()).toEqual([])
  })
  test('of a failure is announced', async () => {
    await render(<Note tone="red" title="没有收到回答" />)
    await expect.element(page.getByRole('alert')).toHaveTextContent('没有收到回答')
  })
})

describe('a meter of what is used', () => {
  test('is a meter with its sentence as its text', async () => {
    await render(<UsageMeter used={38} allowed={50} text="3 小时内已用 38 / 50" />)
    const meter = page.getByRole('meter', { name: '3 小时内已用 38 / 50' })
    await expect.element(meter).toHaveAttribute('aria-valuenow', '38')
    await expect.element(meter).toHaveAttribute('aria-valuemax', '50')
    expect(meter.element().childElementCount).toBe(50)
  })
})

describe('the dots of those who use an account', () => {
  test('are five at most, then a number', async () => {
    const { container } = await render(
      <UsageDots dots={['busy', 'waiting', 'you', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']} />,
    )
    expect(container.textContent).toBe('+3')
    expect(container.querySelectorAll('span > span')).toHaveLength(5)
  })
})

describe('the illustration', () => {
  test.each([
    [true, 3],
    [false, 2],
  ])('lit: %s', async (lit, parts) => {
    const { container } = await render(<Illustration lit={lit} />)
    expect(container.querySelectorAll('path')).toHaveLength(parts)
    expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
  })
})

describe('a block to copy', () => {
  test('goes to the clipboard, and says so', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    onTestFinished(() => written.mockRestore())
    await render(
      <Kit>
        <TerminalLines text="npm start" />
      </Kit>,
    )
    await page.getByRole('button', { name: '复制' }).click()
    await expect.element(page.getByRole('button', { name: '已复制' })).toBeVisible()
    expect(written).toHaveBeenCalledWith('npm start')
  })
  test('goes there with its formatted text too, also where the browser refuses its clipboard', async () => {
    const refused = vi.spyOn(navigator.clipboard, 'write').mockRejectedValue(new Error('not allowed'))
    const copied = Promise.withResolvers<string[]>()
    const onCopy = ({ clipboardData }: ClipboardEvent) =>
      copied.resolve(['text/plain', 'text/html'].map(type => clipboardData?.getData(type) ?? ''))
    document.addEventListener('copy', onCopy)
    onTestFinished(() => {
      refused.mockRestore()
      document.removeEventListener('copy', onCopy)
    })
    function CopyButton() {
      const { copy } = useCopied()
      return <button onClick={() => void copy('*so*', '<em>so</em>')}>Copy</button>
    }
    await render(<CopyButton />)
    await page.getByRole('button', { name: 'Copy' }).click()
    expect(await copied.promise).toEqual(['*so*', '<em>so</em>'])
  })
})
