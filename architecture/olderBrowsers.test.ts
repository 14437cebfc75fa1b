import { describe, expect, test } from 'vitest'
import { isTest, sourcesOf } from './sources.ts'

/**
 * What came to browsers after those that the page is for (web/firstPaint/olderBrowsers.ts), and is not filled in there.
 * The compiler knows all of it, and the browser of the tests has it.
 */
const NEWER = new RegExp(
  [
    String.raw`\b(?:Promise\.try|Array\.fromAsync|RegExp\.escape|Map\.groupBy|URL\.canParse|Error\.isError|Iterator\.\w+|Intl\.DurationFormat)\b`,
    String.raw`\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|flatMap|find|some|every|reduce|take|drop|forEach|toArray)\(`,
    String.raw`(?<!\bz)\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`,
    String.raw`\.(?:checkVisibility|moveBefore|getOrInsert|getOrInsertComputed|toBase64|toHex|bytes)\(`,
    String.raw`\b(?:fromBase64|fromHex)\(|\(\?-?[ims]+:`,
  ].join('|'),
)

describe('the page', () => {
  const sources = sourcesOf('web', 'contract').filter(source => !isTest(source))

  test('calls nothing that the browsers lack which it is for', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(
      sources.filter(({ text }) => NEWER.test(text)).map(({ path, text }) => `${path}: ${NEWER.exec(text)?.[0]}`),
    ).toEqual([])
  })

  test.each([
    'const three = [...map.values().take(3)]',
    'map\n  .keys()\n  .filter(isOpen)',
    'const rest = paths.difference(others)',
    'RegExp.escape(words)',
    'Iterator.from(rows)',
    'if (element.checkVisibility()) show()',
    '/^(?i:x)$/',
  ])('is caught when it does: %s', text => {
    expect(NEWER.test(text)).toBe(true)
  })

  test.each(['z.union([a, b])', '[...map.values()].map(name)', 'Object.entries(row).map(name)', '/(?:a|b)/'])(
    'is let alone otherwise: %s',
    text => {
      expect(NEWER.test(text)).toBe(false)
    },
  )
})
