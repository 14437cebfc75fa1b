import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../reading.ts'
import { pagesOf, plainText } from './documents.testing.ts'
import { encodingOf } from './encodings.ts'
import { readText } from './text.ts'

/** The bytes of a text in an encoding of two bytes: the decoder is asked for all of them. */
function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const bytesOf = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding)
  for (let first = 0xfe; first >= 0x81; first--)
    for (let second = 0xfe; second >= 0x40; second--)
      bytesOf.set(decoder.decode(Uint8Array.of(first, second)), [first, second])
  for (let code = 0; code < 0x80; code++) bytesOf.set(String.fromCharCode(code), [code])
  return Uint8Array.from(Array.from(text).flatMap(character => bytesOf.get(character) ?? [0x3f]))
}

const CHINESE = '今天我们讨论一下这个问题：怎样让大家公平地使用同一个账号。\n第二行说的是时间和次数的限制。'
const TRADITIONAL = '今天我們討論一下這個問題：怎樣讓大家公平地使用同一個帳號。第二行說的是時間和次數的限制。'
const JAPANESE = '今日はこの問題について話し合います。みんなが公平に同じアカウントを使うにはどうすればよいでしょうか。'
const KOREAN = '오늘은 이 문제에 대해 이야기해 봅시다. 모두가 공평하게 같은 계정을 사용하려면 어떻게 해야 할까요.'

describe('a text', () => {
  test.each([
    ['gb18030', CHINESE],
    ['big5', TRADITIONAL],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', KOREAN],
  ])('in %s is recognised', async (encoding, text) => {
    const bytes = encode(text, encoding)
    expect(encodingOf(bytes)).toBe(encoding)
    expect(await plainText(bytes)).toBe(text)
  })
  test('in GB18030 of one short line is recognised', () => {
    expect(encodingOf(encode('姓名,年龄,城市\n张三,30,北京', 'gb18030'))).toBe('gb18030')
  })
  test('in UTF-16 is recognised, with its mark and without', async () => {
    const wide = (text: string, mark: boolean) =>
      new Uint8Array(Uint16Array.from(Array.from(mark ? `\ufeff${text}` : text, each => each.charCodeAt(0))).buffer)
    expect(await plainText(wide('Hello, 你好', true))).toBe('Hello, 你好')
    expect(await plainText(wide('Hello, plain text', false))).toBe('Hello, plain text')
    const big = wide('Hello', true)
    for (let at = 0; at < big.length; at += 2) big.subarray(at, at + 2).reverse()
    expect(await plainText(big)).toBe('Hello')
  })
  test('in Latin letters with accents is recognised', async () => {
    const bytes = Uint8Array.from('Le café est fermé à Noël, déjà vu à côté.', each => each.charCodeAt(0))
    expect(encodingOf(bytes)).toBe('windows-1252')
  })
  test('in UTF-8 is read over the borders of its pieces, without its mark and with one kind of line ends', async () => {
    const text = `\ufeff${'你好\r\n'.repeat(100_000)}`
    expect(await plainText(text)).toBe('你好\n'.repeat(100_000))
  })
  test('that is a program is not taken', async () => {
    const bytes = Uint8Array.from({ length: 4_000 }, (_, at) => (at * 7_919) % 251)
    const { error } = await pagesOf(pages => readText(new Blob([bytes]), 'text', pages))
    expect(error).toMatchObject({ reason: 'notTaken' })
  })
  test('of more characters than are read is read up to there', async () => {
    const { pages, error } = await pagesOf(into =>
      readText(new Blob(['x'.repeat(BOUNDS.characters + 5)]), 'text', into),
    )
    expect(error).toMatchObject({ reason: 'tooMuchText' })
    expect(pages[0]?.text.length).toBe(BOUNDS.characters)
  })
})

describe('separated values', () => {
  test.each([
    ['a,b\n1,"x, ""y"""\n', '| a | b |\n| --- | --- |\n| 1 | x, "y" |\n'],
    ['a;b\n1,5;2\n', '| a | b |\n| --- | --- |\n| 1,5 | 2 |\n'],
    ['a\tb\r\n1\t"two\nlines"', '| a | b |\n| --- | --- |\n| 1 | two lines |\n'],
    ['a,b\n1\n\n2,3,4\n', '| a | b |\n| --- | --- |\n| 1 |  |\n| 2 | 3 | 4 |\n'],
  ])('are a table: %j', async (text, table) => {
    expect(await plainText(text, 'csv')).toBe(table)
  })
})
