import { describe, expect, test } from 'vitest'
import { csvRow } from './csv.ts'

const cell = (text: string) => csvRow([text]).slice(0, -2)

describe('a line of a CSV file', () => {
  test('has its numbers as numbers and its texts as texts', () => {
    expect(csvRow(['a', 1, true, null, -2, 0.25])).toBe('a,1,true,,-2,0.25\r\n')
    expect(csvRow(['1', 1])).toBe("'1,1\r\n")
  })

  test.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['a;b', '"a;b"'],
    ['a\tb', '"a\tb"'],
    ['a|b', '"a|b"'],
    ['lin', 'lin'],
    ['张三，财务部', '张三，财务部'],
    ['gpt_4', 'gpt_4'],
    ['a - b = c', 'a - b = c'],
    ['e@x.org', 'e@x.org'],
    ['小明2号楼', '小明2号楼'],
    ['Marc 5', 'Marc 5'],
    ['4o', '4o'],
    ['1e5f0a2c-0000-4000-8000-00000000000b', '1e5f0a2c-0000-4000-8000-00000000000b'],
  ])('has the text %j as %j', (text, written) => {
    expect(cell(text)).toBe(written)
  })

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    '＝1',
    '＋1',
    '－5 张',
    '＠SUM(A1)',
    ' =1+1',
    '\u3000=1',
    '\u00a0+1',
    '\u200b=1',
    '\ufeff@x',
  ])('has an apostrophe before %j, which a spreadsheet would run as a formula', text => {
    expect(cell(text).replace(/^"/, '').startsWith("'")).toBe(true)
  })

  test.each([
    ['张三，财务部;=1+1', `"张三，财务部;'=1+1"`],
    ['x,=1+1', `"x,'=1+1"`],
    ['x\t+1|@y', `"x\t'+1|'@y"`],
    ['x;  -1', `"x;'  -1"`],
    ['x;"=1+1"', `"x;'""=1+1"""`],
    ['one\n=2', `"one\n'=2"`],
    [';=1', `";'=1"`],
  ])('has one behind each separator of any country: %j', (text, written) => {
    expect(cell(text)).toBe(written)
  })

  const READ = [
    '00123',
    '13800138000123456',
    '1E5',
    '1e-7',
    '1-2',
    '3/4',
    '12:30',
    '1.5',
    '1,000',
    '1 000',
    '50%',
    '$5',
    '€ 3',
    '¥100',
    '１２３',
    '٣',
  ]
  const DATES = [
    '2026-11-29',
    '29.11.2026',
    '2026年11月29日',
    'Jan 5',
    '5-mar',
    '3 Mac 2026',
    'SEPT2',
    '10:30 PM',
    '(5)',
    'TRUE',
    'false',
    'WAHR',
  ]
  test.each([...READ, ...DATES])('keeps %j, which a spreadsheet would read as a number, a date or a truth', text => {
    expect(cell(text).replaceAll('"', '')).toBe(`'${text}`)
  })

  test('is made of a long text without looking through it from each of its characters', () => {
    for (const piece of [' ', ';', '1', '"', "'", 'jan ']) expect(cell(piece.repeat(20_000)).length).toBeGreaterThan(0)
  })
})
