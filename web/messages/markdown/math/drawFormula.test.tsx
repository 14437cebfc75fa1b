import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { Markdown, StreamingMarkdown } from '../Markdown.tsx'
import { textFeed } from '../streaming/textFeed.ts'

describe('A formula', () => {
  test('is drawn once it is closed', async () => {
    const feed = textFeed('有 \\(x^2')
    const screen = await render(<StreamingMarkdown feed={feed} />)
    await expect.element(screen.getByText('x^2')).toBeVisible()
    feed.append('\\)。')
    await until(() => expect(screen.container.querySelector('.katex')).not.toBeNull())
  })

  test('has MathML for screen readers, in a growing text and in a complete one', async () => {
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
    await until(() => expect(screen.container.querySelector('.katex, [data-source="final"]')).not.toBeNull())
    expect(screen.container.querySelectorAll('a, img, script, iframe, [id], [data-a], .c, [onerror]')).toHaveLength(0)
    for (const element of screen.container.querySelectorAll<HTMLElement>('[style]'))
      expect(element.style.position).not.toBe('fixed')
  })

  test.each(['\\rule{9999em}{9999em}', '\\kern-400em \\rule{20em}{20em}', '\\raisebox{400em}{\\rule{20em}{20em}}'])(
    'does not cover the text around it: %s',
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
        const element = document.getElementById(id)!
        element.scrollIntoView()
        const { left, top, width, height } = element.getBoundingClientRect()
        for (const share of [0.01, 0.1, 0.5, 0.9])
          expect(document.elementFromPoint(left + width * share, top + height / 2)).toBe(element)
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

  test('wider than the page has its number after it', async () => {
    const wide = Array.from({ length: 90 }, (_, at) => `x_{${at}}`).join('+')
    const { container } = await render(<Markdown text={`$$${wide} \\tag{9}$$`} />)
    await until(() => expect(container.querySelector('.katex-tag')).not.toBeNull())
    const last = [...container.querySelectorAll('.katex-html > .katex-base')].at(-1)!
    expect(container.querySelector('.katex-tag')!.getBoundingClientRect().left).toBeGreaterThanOrEqual(
      last.getBoundingClientRect().right,
    )
  })

  test('does not share its definitions', async () => {
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

  test('may define names that KaTeX has, and may have a label', async () => {
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
    const screen = await render(<Markdown text={`$$\\begin{matrix}${'a&'.repeat(2_000)}\\end{matrix}$$ 与 $y$`} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(1))
  })

  test('is drawn among hundreds', async () => {
    const screen = await render(
      <Markdown text={Array.from({ length: 100 }, (_, at) => `$\\frac{x_{${at}}}{y^2}$`).join(' ')} />,
    )
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(100))
  })

  test('of more than ten kilobytes stays source', async () => {
    const screen = await render(<Markdown text={`$$${'x+'.repeat(6_000)}x$$ 与 $y$`} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(1))
  })
})
