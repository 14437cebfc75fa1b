import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../reading.ts'
import { aWorkbook } from '../files.testing.ts'
import { formatOf, shownValue } from './cellFormats.ts'
import { openPacked } from './documents.ts'
import { packedTexts, pagesOf } from './documents.testing.ts'

describe('a workbook', () => {
  test('is a table for each sheet, under its name', async () => {
    const file = aWorkbook(
      {
        Costs:
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="3"><c r="A3"><v>0.30000000000000004</v></c><c r="B3" t="b"><v>1</v></c></row>',
        Notes: '<row><c t="inlineStr"><is><t>read me</t></is></c></row>',
      },
      ['Item', 'Price'],
    )
    const { pages } = await pagesOf(async into => (await openPacked(file)).read(into))
    expect(pages).toEqual([
      { number: 1, label: 'Costs', text: '| Item |  | Price |\n| --- | --- | --- |\n| 0.3 | TRUE |  |\n' },
      { number: 2, label: 'Notes', text: '| read me |\n| --- |\n' },
    ])
  })
  test('shows dates and shares as people see them', async () => {
    const row =
      '<row><c s="1"><v>45000</v></c><c s="2"><v>0.125</v></c><c s="3"><v>45000</v></c><c s="0"><v>45000</v></c></row>'
    expect(await packedTexts(aWorkbook({ One: row }))).toEqual([
      '| 2023-03-15 | 12.5% | 2023-03-15 | 45000 |\n| --- | --- | --- | --- |\n',
    ])
  })
  test('of more cells than are read is read up to there, the empty ones before a cell far to the right among them', async () => {
    const file = aWorkbook({ Wide: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(100) })
    const { pages, error } = await pagesOf(async into => (await openPacked(file)).read(into))
    expect(error).toMatchObject({ reason: 'tooManyCells', values: { most: BOUNDS.cells } })
    expect(pages[0]?.text.split('\n').length).toBe(Math.floor(BOUNDS.cells / 16_384) + 2)
  })
})

describe('a format of cells', () => {
  test.each([
    ['0.00%', 'percent'],
    ['yyyy-mm-dd', 'date'],
    ['[$-804]yyyy"年"m"月"d"日"', 'date'],
    ['h:mm:ss', 'time'],
    ['[h]:mm', 'time'],
    ['d/m/yy h:mm', 'dateTime'],
    ['#,##0.00 "days"', 'number'],
    ['[Red]-0.0', 'number'],
  ])('%s is of a %s', (code, format) => {
    expect(formatOf(code)).toBe(format)
  })
  test('shows what is beyond the calendar as a number', () => {
    expect(shownValue('3000000', 'date')).toBe('3000000')
    expect(shownValue('45000.5', 'dateTime')).toBe('2023-03-15 12:00')
    expect(shownValue('0.75', 'time')).toBe('18:00')
    expect(shownValue('#REF!', 'number')).toBe('#REF!')
  })
})
