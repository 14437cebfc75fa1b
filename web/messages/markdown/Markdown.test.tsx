import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { CORPUS } from './corpus.testing.ts'
import { HOSTILE } from './hostile.testing.ts'
import { Markdown, StreamingMarkdown } from './Markdown.tsx'
import { OpenSandboxFile } from './settings.ts'
import { textFeed } from './textFeed.ts'

const RED_DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** Nobody listens there, so that it fails at once and leaves the machine alone. */
const NOWHERE = 'http://127.0.0.1:9/picture.png'

describe('A growing text', () => {
  test('is shown as it comes, and what is finished keeps its elements', async () => {
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

  test('links to what is defined at its end', async () => {
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

  test('is taken anew when it is replaced', async () => {
    const feed = textFeed('旧的一段\n\n又一段')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    feed.replace('新的')
    await expect.element(screen.getByText('新的')).toBeVisible()
    expect(screen.container.textContent).toBe('新的')
  })

  test('follows another feed put in its place', async () => {
    const screen = await render(<StreamingMarkdown feed={textFeed('甲的话')} />)
    const other = textFeed('乙')
    await screen.rerender(<StreamingMarkdown feed={other} />)
    other.append('的话')
    await expect.element(screen.getByText('乙的话')).toBeVisible()
  })

  test('ends as the page that history shows', async () => {
    const text = CORPUS.filter(part => !part.includes('```') && !part.includes('~~~')).join('\n\n')
    const feed = textFeed()
    const streamed = await render(<StreamingMarkdown feed={feed} />)
    for (let at = 0; at < text.length; at += 400) {
      feed.append(text.slice(at, at + 400))
      await new Promise(requestAnimationFrame)
    }
    feed.finish()
    const whole = await render(<Markdown text={text} />)
    await until(() => expect(markup(streamed.container)).toBe(markup(whole.container)))
  })
})

/** Without what tells a box that grows from one that is whole. */
const markup = (of: Element) => of.innerHTML.replace(/ class="[^"]*"| style="contain-[^"]*"/g, '')

describe('A formula', () => {
  test('is drawn once it is closed', async () => {
    const feed = textFeed('有 \\(x^2')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    await expect.element(screen.getByText('x^2')).toBeVisible()
    feed.append('\\)。')
    await until(() => expect(screen.container.querySelector('.katex')).not.toBeNull())
  })

  test('is read aloud, in a text that grows and in one that is there', async () => {
    for (const text of [
      <StreamingMarkdown key="grows" feed={textFeed('有 \\(x^2\\)。')} />,
      <Markdown key="there" text="有 \(x^2\)。" />,
    ]) {
      const { container } = await render(text)
      await until(() => expect(container.querySelector('.katex > .katex-mathml:first-child msup')).not.toBeNull())
      expect(container.querySelectorAll('.katex > *')).toHaveLength(2)
    }
  })

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{https://elsewhere.example/x.png}',
    '\\htmlData{a=b}{x}',
    '\\htmlId{root}{x}',
    '\\htmlClass{c}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\def\\a{\\a\\a}\\a',
    '\\edef\\a{aa}\\edef\\a{\\a\\a}\\edef\\a{\\a\\a}\\edef\\a{\\a\\a}\\a',
    '\\frac{',
    '\\text{<img src=x onerror=alert(1)>}',
  ])('asks for nothing but letters: %s', async tex => {
    const screen = await render(<Markdown text={`前 $$${tex}$$ 后`} />)
    await until(() => expect(screen.container.querySelector('.katex, .katex-error')).not.toBeNull())
    expect(screen.container.querySelectorAll('a, img, script, iframe, [id], [data-a], .c, [onerror]')).toHaveLength(0)
    for (const element of screen.container.querySelectorAll<HTMLElement>('[style]'))
      expect(element.style.position).not.toBe('fixed')
  })

  test.each(['\\rule{9999em}{9999em}', '\\kern-400em \\rule{20em}{20em}', '\\raisebox{400em}{\\rule{20em}{20em}}'])(
    'lies over nothing around it: %s',
    async tex => {
      const screen = await render(
        <>
          <p id="before">前面</p>
          <Markdown text={`$$${tex}$$ 和 $${tex}$`} />
          <p id="after">后面</p>
        </>,
      )
      await until(() => expect(screen.container.querySelectorAll('.katex').length).toBe(2))
      for (const id of ['before', 'after']) {
        const place = document.getElementById(id)!
        place.scrollIntoView()
        const { left, top, width, height } = place.getBoundingClientRect()
        for (const share of [0.01, 0.1, 0.5, 0.9])
          expect(document.elementFromPoint(left + width * share, top + height / 2)).toBe(place)
      }
    },
  )

  test('of chemistry is drawn', async () => {
    const screen = await render(
      <Markdown text={'水 $\\ce{H2O}$，$\\pu{123 kJ//mol}$，\n\n$$\\ce{SO4^2- + Ba^2+ -> BaSO4 v}$$'} />,
    )
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(3))
    expect(screen.container.querySelectorAll('.katex-error')).toHaveLength(0)
  })

  test.each([
    ['$$x^2 \\tag{1}$$', ['(1)']],
    ['$$\\begin{align} a &= b \\tag{1} \\\\ c &= d \\end{align}$$', ['(1)']],
    ['\\begin{equation}\na = b \\tag{2}\n\\end{equation}', ['(2)']],
    ['\\begin{equation}\na = b\n\\end{equation}', []],
    ['$$\\begin{aligned} a &= b \\tag{1} \\\\ c &= d \\tag{2} \\end{aligned}$$', ['(1)', '(2)']],
    ['行内 $x \\tag{3}$', ['(3)']],
  ])('has the numbers that were written, once: %s', async (text, numbers) => {
    const screen = await render(<Markdown text={text} />)
    await until(() => expect(screen.container.querySelector('.katex-html')).not.toBeNull())
    expect(screen.container.querySelectorAll('.katex-error')).toHaveLength(0)
    expect(screen.container.querySelector('.katex-html')?.textContent.match(/\(\d\)/g) ?? []).toEqual(numbers)
    for (const number of screen.container.querySelectorAll('.eqn-num, .mml-eqn-num'))
      expect(getComputedStyle(number, '::before').content).toMatch(/^(?:none|normal)$/)
  })

  test('wider than the page has its number behind it', async () => {
    const wide = Array.from({ length: 90 }, (_, at) => `x_{${at}}`).join('+')
    const { container } = await render(<Markdown text={`$$${wide} \\tag{9}$$`} />)
    await until(() => expect(container.querySelector('.katex-tag')).not.toBeNull())
    const last = [...container.querySelectorAll('.katex-html > .katex-base')].at(-1)!
    expect(container.querySelector('.katex-tag')!.getBoundingClientRect().left).toBeGreaterThanOrEqual(
      last.getBoundingClientRect().right,
    )
  })

  test('keeps what it defines to itself', async () => {
    const text = [
      '$$\\newcommand{\\mine}{r} \\gdef\\yours{s} \\mine\\yours$$',
      '$\\gdef\\alpha{q} \\alpha$',
      '$\\mine$',
      '$\\yours + \\alpha$',
    ].join('\n\n')
    const screen = await render(<Markdown text={text} />)
    await until(() => expect(screen.container.querySelectorAll('.katex-html')).toHaveLength(4))
    const [defined, redefined, mine, yours] = [...screen.container.querySelectorAll('.katex-html')].map(
      ({ textContent }) => textContent,
    )
    expect([defined, redefined]).toEqual(['rs', 'q'])
    expect(mine).toBe('\\mine')
    expect(yours).toMatch(/^\\yours.*α$/)
  })

  test('may define what KaTeX knows by itself, and may have a label', async () => {
    const text =
      '$$\\newcommand{\\R}{\\mathbb{Q}} \\newcommand\\norm[1]{\\lVert #1 \\rVert} \\norm{x} \\in \\R$$\n\n$$x = y \\label{eq:x} \\tag{7}$$'
    const screen = await render(<Markdown text={text} />)
    await until(() => expect(screen.container.querySelectorAll('.katex-html')).toHaveLength(2))
    const [defined, labelled] = [...screen.container.querySelectorAll('.katex-html')].map(
      ({ textContent }) => textContent,
    )
    expect(screen.container.querySelectorAll('.katex-error')).toHaveLength(0)
    expect(defined).toBe('∥x∥∈Q')
    expect(labelled).toBe('x=y(7)')
  })

  test('too deep to draw is its source', async () => {
    const tex = `${'{'.repeat(5_000)}x${'}'.repeat(5_000)}`
    const screen = await render(<Markdown text={`$${tex}$ 与 $y$`} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(1))
    expect(screen.container.textContent).toContain(tex)
  })

  test('of thousands of cells stays source', async () => {
    const screen = await render(<Markdown text={`$$\\begin{matrix}${'a&'.repeat(3_000)}\\end{matrix}$$ 与 $y$`} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(1))
  })

  test('waits its turn among hundreds, and is drawn', async () => {
    const screen = await render(
      <Markdown text={Array.from({ length: 300 }, (_, at) => `$\\frac{x_{${at}}}{y^2}$`).join(' ')} />,
    )
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(300))
  })

  test('of more than ten kilobytes stays source', async () => {
    const screen = await render(<Markdown text={`$$${'x+'.repeat(6_000)}x$$ 与 $y$`} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(1))
  })
})

describe('A block of code', () => {
  const code = 'def f(x):\n    return "中文"  # 注释'
  const screenOf = () => render(<Markdown text={`\`\`\`py\n${code}\n\`\`\``} />)

  test('is coloured, and its text is the code', async () => {
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

  test('is coloured while it arrives, and its text is never wrong', async () => {
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
  test('from elsewhere is not loaded here, and can be opened in a page of its own', async () => {
    const screen = await render(<Markdown text={`![一张图](${NOWHERE})`} />)
    expect(screen.container.querySelector('img')).toBeNull()
    await expect.element(screen.getByText('一张图')).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '在新标签页打开' })).toHaveAttribute('href', NOWHERE)
  })

  test('of the portal or in the text is shown', async () => {
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

describe('A note at the foot', () => {
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
    const places = [...container.querySelectorAll('th, td')].map(cell => {
      const words = document.createRange()
      words.selectNodeContents(cell)
      return words.getBoundingClientRect()
    })
    expect(new Set([0, 2, 4].map(at => Math.round(places[at]!.right))).size).toBe(1)
    expect(new Set([1, 3, 5].map(at => Math.round(places[at]!.left))).size).toBe(1)
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
