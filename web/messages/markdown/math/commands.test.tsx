import { describe, expect, test } from 'vitest'
import 'katex/contrib/mhchem'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { Markdown } from '../Markdown.tsx'
import { drawFormula } from './drawFormula.ts'

function seen(tex: string, display = true) {
  const box = document.createElement('div')
  const { nodes, asWritten } = drawFormula(tex, display)
  box.append(...nodes)
  return { box, asWritten, text: box.textContent.replaceAll(/[\u200B\u00A0]/g, '') }
}

describe('A command of a package or of MathJax', () => {
  test.each([
    ['\\text{由 }\\eqref{eq:1}', '由(eq:1)'],
    ['\\ref{fig_2}', 'fig_2'],
    ['\\SI{3e8}{\\meter\\per\\second}', '3×108m/s'],
    ['\\SI{9.81}{m/s^2}', '9.81m/s2'],
    ['\\si{\\kilo\\gram\\square\\meter}', 'kgm2'],
    ['\\qty{20}{\\celsius}', '20∘C'],
    ['\\qty[mode=text]{5}{\\micro\\ohm}', '5μΩ'],
    ['\\num{1.5e-3}', '1.5×10−3'],
    ['\\unit{kg.m}', 'kgm'],
    ['\\ang{90}', '90∘'],
    ['\\require{cancel} \\cancel{x}', 'x'],
    ['\\require{mhchem} \\ce{CO}', 'CO'],
    ['\\unicode{x263A} \\unicode[Arial]{9786}', '☺☺'],
    ['\\cancelto{0}{x}', 'x0'],
    ['\\bbox[yellow, 5px]{x^2}', 'x2'],
    ['\\href{https://a.example/b}{文}', '文'],
    ['\\url{https://a.example/b_c}', 'https://a.example/b_c'],
    ['\\includegraphics[width=1em]{a.png}', '\\includegraphics[width=1em]{a.png}'],
    ['\\class{a}{x} \\cssId{b}{y} \\htmlStyle{color:red}{z}', 'xyz'],
    ['\\DeclareMathOperator*{\\argmax}{arg\\,max} \\argmax x', 'argmaxx'],
    ['\\dv{x}{t} + \\pdv{y}{t} + \\abs{x} + \\norm{x}', 'dtdx+∂t∂y+∣x∣+∥x∥'],
    ['\\mathds{1} \\mbox{若}', '1若'],
    ['\\begin{eqnarray} a &=& b \\end{eqnarray}', 'a=b'],
    ['\\begin{multline} a \\\\ b \\end{multline}', 'ab'],
    ['\\begin{flalign*} a &= b \\end{flalign*}', 'a=b'],
    ['\\begin{subequations} a \\end{subequations}', 'a'],
    ['\\text{max_value} = 50\\%', 'max_value=50%'],
    ['\\text{50%} x', '50%x'],
    ['a &= b \\\\ &= c', 'a=b=c'],
  ])('is drawn: %s', (tex, text) => {
    const { box, asWritten, text: shown } = seen(tex)
    expect([asWritten, box.querySelector('.katex-html')?.textContent.replaceAll(/[\s\u200B\u00A0]/g, '')]).toEqual([
      false,
      text.replaceAll(' ', ''),
    ])
    expect(shown).not.toContain('undefined')
  })

  test.each([
    ['x = \\unknown{a}{b_1} + y', 'x=\\unknown{a}{b_1}+y'],
    ['\\foo', '\\foo'],
    ['\\chemfig{A-[:30]B}', '\\chemfig{A-[:30]B}'],
    ['\\alpha + \\mycmd[opt]{x} + \\other', 'α+\\mycmd[opt]{x}+\\other'],
  ])('that nothing knows is shown with its arguments, and the rest is drawn: %s', (tex, text) => {
    expect(seen(tex)).toMatchObject({ asWritten: false, text })
  })
})

describe('A formula that cannot be drawn, or that shows nothing', () => {
  test.each([
    'a_b_c',
    '\\frac{1}{2',
    '\\left( x',
    'x}',
    '\\begin{tikzpicture} \\draw (0,0); \\end{tikzpicture}',
    '\\newcommand{\\v}[1]{\\mathbf{#1}}',
    '\\label{eq:1}',
    '\\require{cancel}',
    '\\quad',
    `${'{'.repeat(5_000)}x`,
  ])('is its source: %s', tex => {
    for (const display of [true, false])
      expect(seen(tex, display)).toMatchObject({ asWritten: true, text: tex.replaceAll('\u00A0', '') })
  })

  test('shows no error and nothing in red', async () => {
    const screen = await render(<Markdown text={'$a_b_c$ 与 $\\unknown{x}$ 与 $\\href{javascript:alert(1)}{y}$'} />)
    await until(() => expect(screen.container.querySelectorAll('.katex')).toHaveLength(2))
    expect(screen.container.querySelector('.katex-error, [title], a')).toBeNull()
    const colors = [...screen.container.querySelectorAll<HTMLElement>('[style*="color"]')].map(
      ({ style }) => style.color,
    )
    expect(colors.filter(color => !/^currentcolor$/i.test(color))).toEqual([])
    expect(screen.getByText('a_b_c').element().getAttribute('data-source')).toBe('final')
  })

  test('a rule or a box is seen', () => {
    expect(seen('\\rule{1em}{1em}').asWritten).toBe(false)
    expect(seen('\\boxed{\\quad}').asWritten).toBe(false)
  })
})
