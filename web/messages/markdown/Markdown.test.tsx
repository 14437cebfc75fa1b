import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import '#web/kit/base.css'
import { idleTime } from '#testing/idleTime.ts'
import { until } from '#testing/until.ts'
import { CORPUS } from './corpus.testing.ts'
import { HOSTILE } from './hostile.testing.ts'
import { Markdown, StreamingMarkdown } from './Markdown.tsx'
import { OpenSandboxFile } from './blocks/SafeLink.tsx'
import { textFeed } from './streaming/textFeed.ts'

const RED_DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** Nobody listens there, so that it fails at once and leaves the machine alone. */
const NOWHERE = 'http://127.0.0.1:9/picture.png'

describe('A growing text', () => {
  test('is shown as it arrives, and finished blocks keep their elements', async () => {
    const feed = textFeed('# 标题\n\n第一段。\n\n第二')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    const heading = screen.getByRole('heading', { name: '标题' }).element()
    const first = screen.getByText('第一段。').element()
    feed.append('段，**重点**')
    await expect.element(screen.getByText('重点')).toBeVisible()
    feed.append('。\n\n```js\nconst a = 1\n```\n\n完')
    await expect.element(screen.getByText('完')).toBeVisible()
    expect(screen.getByRole('heading', { name: '标题' }).element()).toBe(heading)
    expect(screen.getByText('第一段。').element()).toBe(first)
  })

  test('links to an address that is defined at its end', async () => {
    const feed = textFeed('见 [文档][1]。\n\n')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    expect(screen.getByRole('link').query()).toBeNull()
    feed.append('[1]: https://example.com/late')
    feed.finish()
    await expect.element(screen.getByRole('link', { name: '文档' })).toHaveAttribute('href', 'https://example.com/late')
  })

  test('has a dot at its end until it is finished', async () => {
    const feed = textFeed('一段')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    const dot = () => screen.container.querySelector('p > span:last-child')
    expect(dot()?.getBoundingClientRect().width).toBe(9)
    feed.finish()
    await until(() => expect(dot()).toBeNull())
  })

  test('starts again when it is replaced', async () => {
    const feed = textFeed('旧的一段\n\n又一段')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    feed.replace('新的')
    await expect.element(screen.getByText('新的')).toBeVisible()
    expect(screen.container.textContent).toBe('新的')
  })

  test('of which nothing is seen says so at its end', async () => {
    const marks = '\u200E\u202E'.repeat(50_000)
    const feed = textFeed('\u200E')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    feed.append(marks)
    expect(screen.container.textContent).not.toContain('没有可见的文字')
    feed.finish()
    await until(() => expect(screen.container.textContent).toContain('没有可见的文字（100,001 个字符）'))
    const whole = await render(<Markdown text={marks} />)
    expect(whole.container.textContent).toBe('这段内容没有可见的文字（100,000 个字符）')
  })

  test('follows another feed', async () => {
    const screen = await render(<StreamingMarkdown feed={textFeed('甲的话')} />)
    const other = textFeed('乙')
    await screen.rerender(<StreamingMarkdown feed={other} />)
    other.append('的话')
    await expect.element(screen.getByText('乙的话')).toBeVisible()
  })

  test('ends with the same page as a stored message', async () => {
    const text = CORPUS.filter(part => !part.includes('```') && !part.includes('~~~')).join('\n\n')
    const idle = idleTime()
    const feed = textFeed()
    const streamed = await render(<StreamingMarkdown feed={feed} />)
    for (let at = 0; at < text.length; at += 4_000) {
      feed.append(text.slice(at, at + 4_000))
      await new Promise(requestAnimationFrame)
    }
    feed.finish()
    idle.give()
    const whole = await render(<Markdown text={text} />)
    await until(() => expect(markup(streamed.container)).toBe(markup(whole.container)))
  })
})

/** Without what tells a box that grows from one that is whole. */
const markup = (of: Element) => of.innerHTML.replace(/ class="[^"]*"| style="contain-[^"]*"/g, '')

describe('Emphasis on a Chinese page', () => {
  test.each([
    ['an *italic* word', 'italic'],
    ['中文里的 *word* 是斜体', 'italic'],
    ['an *重点* here', 'normal'],
    ['中文的*重点*', 'normal'],
  ])('is italic for Latin and bold for Han, also within a sentence of the other: %s', async (text, style) => {
    document.documentElement.lang = 'zh-CN'
    const { container } = await render(<Markdown text={text} />)
    expect(getComputedStyle(container.querySelector('em')!).fontStyle).toBe(style)
  })
})

describe('A translating browser', () => {
  test('leaves code and formulas as they are', async () => {
    const text = '文 `a` 与 $x$\n\n```js\nlet a\n```'
    const feed = textFeed(text)
    feed.finish()
    for (const shown of [<Markdown key="whole" text={text} />, <StreamingMarkdown key="grown" feed={feed} />]) {
      const { container } = await render(shown)
      for (const selector of ['p > code', 'pre', '[data-tex]'])
        expect(container.querySelector(selector)?.closest('[translate="no"]')).not.toBeNull()
      await until(() => expect(container.querySelector('p')?.closest('[translate="no"]')).toBeNull())
    }
  })
})

describe('A block of code', () => {
  const code = 'def f(x):\n    return "中文"  # 注释'
  const screenOf = () => render(<Markdown text={`\`\`\`py\n${code}\n\`\`\``} />)

  test('is highlighted, and its text is the code', async () => {
    const { container } = await screenOf()
    await until(() => expect(container.querySelectorAll('pre span span').length).toBeGreaterThan(3))
    expect(container.querySelector('code')?.textContent).toBe(code)
  })

  test('says that it was copied', async () => {
    const screen = await screenOf()
    await screen.getByRole('button', { name: '复制代码' }).click()
    await expect.element(screen.getByRole('button', { name: '已复制' })).toBeVisible()
  })

  test('wraps its lines when asked', async () => {
    const screen = await screenOf()
    const wrap = screen.getByRole('button', { name: '自动换行' })
    await expect.element(wrap).toHaveAttribute('aria-pressed', 'false')
    expect(getComputedStyle(screen.container.querySelector('pre')!).whiteSpaceCollapse).toBe('preserve')
    await wrap.click()
    await expect.element(wrap).toHaveAttribute('aria-pressed', 'true')
    expect(getComputedStyle(screen.container.querySelector('pre')!).textWrapMode).toBe('wrap')
  })

  test('is highlighted while it arrives, and its text is never wrong', async () => {
    const feed = textFeed('```ts\n')
    const { container } = await render(<StreamingMarkdown feed={feed} />)
    const lines = Array.from({ length: 90 }, (_, at) => `const value${at} = '${at}'`)
    for (const line of lines) {
      feed.append(`${line}\n`)
      await new Promise(requestAnimationFrame)
      const shown = container.querySelector('code')?.textContent ?? ''
      expect(lines.join('\n').startsWith(shown.trimEnd())).toBe(true)
    }
    await until(() => expect(container.querySelectorAll('pre span span').length).toBeGreaterThan(60))
    feed.append('```')
    await until(() => expect(container.querySelector('code')?.textContent).toBe(lines.join('\n')))
    getSelection()?.selectAllChildren(container.querySelector('code')!)
    expect(getSelection()?.toString()).toBe(lines.join('\n'))
  })
})

describe('A picture', () => {
  test('of another host is not loaded, and can be opened in another tab', async () => {
    const screen = await render(<Markdown text={`![一张图](${NOWHERE})`} />)
    expect(screen.container.querySelector('img')).toBeNull()
    await expect.element(screen.getByText('一张图')).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '在新标签页打开' })).toHaveAttribute('href', NOWHERE)
  })

  test('of the portal or inlined in the text is shown', async () => {
    const screen = await render(<Markdown text={`![点](${RED_DOT})`} />)
    await expect.element(screen.getByRole('img', { name: '点' })).toBeVisible()
  })
})

describe('A file of the interpreter', () => {
  test('is opened by the conversation', async () => {
    const open = vi.fn<(path: string) => void>()
    const screen = await render(
      <OpenSandboxFile value={open}>
        <Markdown text="[表](sandbox:/mnt/data/a.csv)" />
      </OpenSandboxFile>,
    )
    await screen.getByRole('button', { name: '表' }).click()
    expect(open).toHaveBeenCalledExactlyOnceWith('/mnt/data/a.csv')
  })
})

describe('A footnote', () => {
  test('is reached from its mark and leads back, within its own text', async () => {
    const text = '一句[^n]。\n\n[^n]: 出处'
    const screen = await render(
      <>
        <Markdown text={'别的[^n]。\n\n[^n]: 别处'} />
        <Markdown text={text} />
      </>,
    )
    const mark = screen.getByRole('button', { name: '脚注 1' }).nth(1)
    await mark.click()
    const note = screen.getByRole('group', { name: '脚注 1' }).nth(1)
    await expect.element(note).toHaveFocus()
    await expect.element(note).toMatchTextContent(/出处/)
    await note.getByRole('button', { name: '回到正文' }).click()
    await expect.element(mark).toHaveFocus()
    expect(location.hash).toBe('')
  })

  test('has its number once the text is complete', async () => {
    const feed = textFeed('一句[^n]。\n\n又一句。\n\n')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    feed.append('[^n]: 出处')
    feed.finish()
    await expect.element(screen.getByRole('button', { name: '脚注 1' })).toBeVisible()
  })
})

describe('A hostile text', () => {
  test('runs nothing and asks for nothing', async () => {
    const alarm = vi.spyOn(window, 'alert')
    const before = performance.getEntriesByType('resource').length
    const { container } = await render(<Markdown text={HOSTILE.join('\n\n')} />)
    await until(() => expect(container.querySelector('.katex')).not.toBeNull())
    const asked = performance
      .getEntriesByType('resource')
      .slice(before)
      .map(entry => new URL(entry.name).origin)
    expect(new Set(asked).difference(new Set([location.origin]))).toEqual(new Set())
    expect(
      container.querySelectorAll('script, style, iframe, object, embed, form, base, meta, link, video, svg script'),
    ).toHaveLength(0)
    expect(alarm).not.toHaveBeenCalled()
  })
})

describe('A task', () => {
  test('has its words beside its mark, in a loose list and from either side', async () => {
    const { container } = await render(<Markdown text={'- [x] one\n\n- [ ] two\n\n文\n\n- [ ] English\n- [ ] משימה'} />)
    const items = [...container.querySelectorAll('li')]
    expect(items).toHaveLength(4)
    for (const item of items) {
      const line = document.createRange()
      line.selectNodeContents(item)
      const [mark, words] = [item.querySelector('input')!.getBoundingClientRect(), line.getClientRects()]
      const last = [...words].at(-1)!
      expect(last.top).toBeLessThan(mark.bottom)
    }
  })
})

describe('A text from the right', () => {
  test('is laid out from the right block by block, with the marks of its list and the columns of its table', async () => {
    const text =
      'مرحبا بك في API.\n\n- البند `npm start`\n- English\n\n| الاسم | القيمة |\n| --- | --- |\n| API | 1 |\n\n> نص\n\n```js\nlet a\n```\n\nAn English paragraph.'
    const { container } = await render(<Markdown text={text} />)
    const directionOf = (selector: string) =>
      [...container.querySelectorAll(selector)].map(element => getComputedStyle(element).direction)
    expect(directionOf('p')).toEqual(['rtl', 'rtl', 'ltr'])
    expect(directionOf('ul, li, li > div, table, blockquote')).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'rtl', 'rtl'])
    expect(directionOf('code, pre')).toEqual(['ltr', 'ltr', 'ltr'])
    const [name, value] = [...container.querySelectorAll('td')]
    expect(name!.getBoundingClientRect().left).toBeGreaterThan(value!.getBoundingClientRect().left)
    expect(getComputedStyle(container.querySelector('ul')!).paddingRight).not.toBe('0px')
  })

  test('has the cells of a column on one side, and the sign of a figure before it', async () => {
    const { container } = await render(
      <Markdown text={'| البند | القيمة |\n| --- | --: |\n| الوقت | سبعة |\n| API | -5 ℃ |'} />,
    )
    const positions = [...container.querySelectorAll('th, td')].map(cell => {
      const words = document.createRange()
      words.selectNodeContents(cell)
      return words.getBoundingClientRect()
    })
    expect(new Set([0, 2, 4].map(at => Math.round(positions[at]!.right))).size).toBe(1)
    expect(new Set([1, 3, 5].map(at => Math.round(positions[at]!.left))).size).toBe(1)
    const figure = document.createTreeWalker(container.querySelectorAll('td')[3]!, NodeFilter.SHOW_TEXT).nextNode()!
    const left = (at: number) => {
      const character = document.createRange()
      character.setStart(figure, at)
      character.setEnd(figure, at + 1)
      return character.getBoundingClientRect().left
    }
    expect(left(0)).toBeLessThan(left(1))
  })
})
