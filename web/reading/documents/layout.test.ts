import { describe, expect, test } from 'vitest'
import { type TextRun, textOfPage } from './layout.ts'

/** Letters of half their size. */
const run = (x: number, y: number, text: string, size = 10): TextRun => ({
  text,
  x,
  y,
  width: text.length * size * 0.5,
  size,
})
const prose = (x: number, y: number, count: number, word: string) =>
  Array.from({ length: count }, (_, at) => run(x, y - at * 12, `${word}${at} is a line of some prose here`))

describe('the text of a page', () => {
  test('has the lines of a paragraph as one, and a gap between paragraphs', () => {
    const text = textOfPage([
      run(50, 700, 'a line that reaches the edge'),
      run(50, 688, 'and goes on here'),
      run(50, 650, 'another'),
    ])
    expect(text).toBe('a line that reaches the edge\nand goes on here\n\nanother'.replace('edge\n', 'edge '))
  })
  test('has headings by the size of their letters', () => {
    const text = textOfPage([run(50, 760, 'Title', 20), run(50, 720, 'Part', 14), ...prose(50, 690, 3, 'x')])
    expect(text).toMatch(/^# Title\n\n## Part\n\nx0 is a line/)
  })
  test('reads columns one after another, though they are written line by line', () => {
    const [left, right] = [prose(50, 700, 5, 'left'), prose(320, 700, 5, 'right')]
    const text = textOfPage([
      run(50, 740, 'Over both of the columns there stands a title of the whole page, long'),
      ...left.flatMap((each, at) => [each, ...right.slice(at, at + 1)]),
    ])
    expect(text.match(/left\d|right\d/g)).toEqual(
      [0, 1, 2, 3, 4].map(at => `left${at}`).concat([0, 1, 2, 3, 4].map(at => `right${at}`)),
    )
    expect(text.startsWith('Over both')).toBe(true)
  })
  test('reads columns also where their lines stand at other heights', () => {
    const text = textOfPage([...prose(320, 694, 5, 'right'), ...prose(50, 700, 5, 'left')])
    expect(text.match(/left\d|right\d/g)?.join(' ')).toBe(
      'left0 left1 left2 left3 left4 right0 right1 right2 right3 right4',
    )
  })
  test('has rows with cells below each other as a table', () => {
    const rows = [
      ['Item', 'Count'],
      ['Pens', '12'],
      ['A|B', '3'],
    ].flatMap(([name = '', count = ''], at) => [run(50, 700 - at * 14, name), run(200, 700 - at * 14, count)])
    expect(textOfPage(rows)).toBe('| Item | Count |\n| --- | --- |\n| Pens | 12 |\n| A\\|B | 3 |')
  })
  test('has words that are drawn letter by letter as words, and Chinese without spaces', () => {
    const letters = [...'word'].map((letter, at) => run(50 + at * 5, 700, letter))
    const chinese = [...'公平使用'].map((letter, at) => ({
      text: letter,
      x: 50 + at * 11,
      y: 650,
      width: 10,
      size: 10,
    }))
    expect(textOfPage([...letters, run(73, 700, 'next'), ...chinese])).toBe('word next\n\n公平使用')
  })
  test('is empty where there is none', () => {
    expect(textOfPage([])).toBe('')
    expect(textOfPage([run(1, 1, ' '), run(1, 1, '')])).toBe('')
  })
})
