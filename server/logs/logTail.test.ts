import { appendFileSync, existsSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '#testing/dataFolder.ts'
import { type Cursor, cursorText, readCursor, tailOf } from './logTail.ts'

const MB = 1024 * 1024

async function aLog() {
  const folder = await emptyFolder()
  const pathOf = (part: number) => join(folder, `${part}.log`)
  const parts = () =>
    [1, 2, 3, 4].filter(part => existsSync(pathOf(part))).map(part => ({ part, open: () => open(pathOf(part)) }))
  type Asked = { max_lines?: number; after?: Cursor | null; without?: string; bytes?: number; characters?: number }
  const tail = async ({ max_lines = 100, after = null, without, ...limits }: Asked = {}) => {
    const read = ({ bytes, isCut, isWhole }: { bytes: Buffer; isCut: boolean; isWhole: boolean }) => {
      const text = bytes.toString()
      return without !== undefined && text.includes(without) ? null : { text, rest: '', isCut, isWhole }
    }
    const { lines, cursor, ...more } = await tailOf(parts(), { max_lines, after, read }, limits)
    // As it goes to the page and comes back.
    return { lines, texts: lines.map(({ text }) => text), after: cursor && readCursor(cursorText(cursor)), ...more }
  }
  const write = (part: number, text: string | Buffer) => appendFileSync(pathOf(part), text)
  return { pathOf, tail, write }
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}`)
const asText = (lines: string[]) => lines.map(line => `${line}\n`).join('')

describe('the end of a log', () => {
  test('is its last lines, the oldest first, over all its files', async () => {
    const { tail, write } = await aLog()
    write(1, asText(numbered(0, 20_000)))
    write(2, asText(numbered(20_000, 20_003)))
    expect(await tail({ max_lines: 5 })).toMatchObject({
      texts: numbered(19_998, 20_003),
      has_more: true,
      searched_bytes: null,
    })
    const { texts, has_more } = await tail({ max_lines: 50_000 })
    expect({ texts, has_more }).toEqual({ texts: numbered(0, 20_003), has_more: false })
    expect((await tail({ without: '2', max_lines: 2 })).texts).toEqual(['line 19998', 'line 19999'])
  })

  test('of 2 GB costs no more than that of a few lines', async () => {
    const { tail, write, pathOf } = await aLog()
    write(1, asText(numbered(0, 10)))
    truncateSync(pathOf(1), 2048 * MB)
    write(1, `\n${asText(numbered(10, 110))}`)
    expect(await tail({ bytes: 128 * 1024 })).toMatchObject({
      texts: numbered(10, 110),
      has_more: true,
      searched_bytes: null,
    })
  })

  test('that is not found in what may be read is given up, which is said', async () => {
    const { tail, write, pathOf } = await aLog()
    write(1, asText(numbered(0, 10)))
    truncateSync(pathOf(1), 2048 * MB)
    expect(await tail({ bytes: MB })).toMatchObject({ texts: [], has_more: true, searched_bytes: MB })
  })

  test('has no more characters than an answer may have', async () => {
    const { tail, write } = await aLog()
    write(1, asText(Array.from({ length: 10 }, () => 'x'.repeat(1000))))
    expect(await tail({ characters: 3_500 })).toMatchObject({ texts: { length: 3 }, has_more: true })
  })

  test('has of a line of many megabytes the beginning, and says that it is cut', async () => {
    const { tail, write } = await aLog()
    write(1, `before\nhuge ${'x'.repeat(3 * MB)}\nat the bound ${'x'.repeat(65_536 - 13)}\nafter\n`)
    const { lines } = await tail()
    expect(lines.map(({ text, isCut }) => [text.slice(0, 12), text.length, isCut])).toEqual([
      ['before', 6, false],
      ['huge xxxxxxx', 65_536, true],
      ['at the bound', 65_536, false],
      ['after', 5, false],
    ])
  })

  test('leaves out a line that is being written, and has it once it will get no end any more', async () => {
    const { tail, write, pathOf } = await aLog()
    write(1, 'whole\nhal')
    const { after, texts } = await tail()
    expect(texts).toEqual(['whole'])
    write(1, 'f\n')
    expect((await tail({ after })).texts).toEqual(['half'])
    write(1, 'torn')
    utimesSync(pathOf(1), new Date(0), new Date(0))
    expect((await tail()).lines.at(-1)).toMatchObject({ text: 'torn', isWhole: false })
  })
})

describe('what came after an earlier answer', () => {
  test('is the new lines only, also when the log went on in another file', async () => {
    const { tail, write } = await aLog()
    write(1, asText(numbered(0, 3)))
    const first = await tail()
    expect(await tail({ after: first.after })).toMatchObject({ texts: [], has_more: false, after: first.after })
    write(1, asText(numbered(3, 5)))
    write(2, asText(numbered(5, 7)))
    const second = await tail({ after: first.after })
    expect(second).toMatchObject({ texts: numbered(3, 7), has_more: false })
    write(2, asText(numbered(7, 8)))
    expect(await tail({ after: second.after })).toMatchObject({ texts: ['line 7'], has_more: false })
  })

  test('says when there is more than was asked for', async () => {
    const { tail, write } = await aLog()
    write(1, asText(numbered(0, 3)))
    const { after } = await tail()
    write(1, asText(numbered(3, 100)))
    expect(await tail({ after, max_lines: 2 })).toMatchObject({ texts: ['line 98', 'line 99'], has_more: true })
  })

  test('is everything, with a gap, where the file was removed, replaced or cut short', async () => {
    const { tail, write, pathOf } = await aLog()
    write(1, asText(numbered(0, 3)))
    const { after } = await tail()
    // Longer than before, so that only what stands before the cursor tells it apart.
    writeFileSync(pathOf(1), asText(numbered(50, 60)))
    expect(await tail({ after })).toMatchObject({ texts: numbered(50, 60), has_more: true })
    truncateSync(pathOf(1), 0)
    write(1, 'anew\n')
    expect(await tail({ after })).toMatchObject({ texts: ['anew'], has_more: true })
    rmSync(pathOf(1))
    expect(await tail({ after })).toMatchObject({ texts: [], has_more: false, after })
    write(4, 'much later\n')
    expect(await tail({ after })).toMatchObject({ texts: ['much later'], has_more: true })
  })
})
