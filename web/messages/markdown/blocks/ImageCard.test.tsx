import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Markdown } from '../Markdown.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The portal refuses every file: the browser loads none of them, and asks why. */
const refuse = (code: number, message: string) =>
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ code, message, result: null }, { status: 404 })))
const OF_PORTAL = `${location.origin}/api/files/local/download/0190f0aa-0000-7000-8000-000000000000`

describe('an image of a text', () => {
  test('that the portal does not give out says why', async () => {
    refuse(-1, 'errors.fileContentMissing')
    const screen = await render(<Markdown text={`![图](${OF_PORTAL})`} />)
    await expect.element(screen.getByText(/图片未能加载 .*还没有收到这个文件的内容/)).toBeVisible()
  })
  test('that stands in the text and is broken says that it was not loaded, and nothing is requested', async () => {
    const requested = vi.fn<typeof fetch>()
    vi.stubGlobal('fetch', requested)
    const screen = await render(<Markdown text="![图](data:image/png;base64,AAAA)" />)
    await expect.element(screen.getByText('图片未能加载', { exact: true })).toBeVisible()
    expect(requested).not.toHaveBeenCalled()
  })
  test('of another host is named by it and not loaded', async () => {
    const screen = await render(<Markdown text="![图](https://elsewhere.example/a.png)" />)
    await expect.element(screen.getByText('elsewhere.example')).toBeVisible()
    expect(screen.container.querySelector('img')).toBe(null)
  })
})
