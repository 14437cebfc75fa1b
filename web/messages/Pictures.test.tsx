import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { until } from '#testing/until.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { repliesOf, serve, theAnswer } from './answer.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a picture', () => {
  test('of the upstream opens in the lightbox, which leads to the next one', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(poster))
    await screen.getByRole('button', { name: /^放大：清晨的梯田/ }).click()
    const dialog = page.getByRole('dialog', { name: '梯田' })
    await expect.element(dialog.getByText('第 1 张，共 2 张')).toBeVisible()
    await expect.element(dialog.getByRole('link', { name: '下载' })).toHaveAttribute('download', '梯田')
    await dialog.getByRole('button', { name: '下一张' }).click()
    await expect.element(page.getByRole('img', { name: /woven bamboo/ })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  test('has its space before it has loaded', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    const { width, height } = screen.getByRole('figure').first().element().querySelector('div')!.getBoundingClientRect()
    expect(Math.round((width / height) * 10)).toBe(20)
  })

  test('that cannot be loaded leaves its size, and is fetched again on request', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await expect.element(screen.getByText('图片 640 × 320')).toBeVisible()
    await screen.getByRole('button', { name: '重试' }).click()
    await expect.element(screen.getByRole('button', { name: '放大：图片 640 × 320' })).toBeVisible()
  })

  test('of a growing answer is requested again while that grows', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump), { growing: true })
    await expect.element(screen.getByText('图片 640 × 320')).toBeVisible()
    const source = () => screen.container.querySelector('img')?.getAttribute('src')
    await until(() => expect(source()).toBe('/api/files/file-ChartOct/content?attempt=1'))
  })

  test('of a growing answer is requested again once that is stored', async () => {
    serve({})
    const replies = repliesOf(heatPump)
    const screen = await theAnswer(replies, { growing: true })
    await expect.element(screen.getByText('图片 640 × 320')).toBeVisible()
    expect(screen.getByRole('button', { name: '重试' }).query()).toBe(null)
    await screen.show(replies, false)
    const sources = () => [...screen.container.querySelectorAll('img')].map(image => image.getAttribute('src'))
    await until(() => expect(sources()).toEqual(['/api/files/file-ChartOct/content?attempt=1']))
  })

  test('is loaded from the portal only', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(poster))
    const sources = [...screen.container.querySelectorAll('img')].map(image => image.getAttribute('src'))
    expect(sources).toEqual(['/api/files/file-Poster0/content', '/api/files/file-Poster1/content'])
  })
})
