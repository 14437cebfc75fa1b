import { describe, expect, test } from 'vitest'
import { wholeBlocks } from './parseWhole.ts'
import { isSeen } from './visibleText.ts'

describe('A text of which nothing is seen', () => {
  test.each([
    ['direction marks', '\u200E\u200F\u202A\u202E\u2066\u2069'.repeat(200)],
    ['zero-width characters', '\u200B\u200C\u200D\u2060\uFEFF'.repeat(200)],
    ['control characters', '\u0001\u0008\u001B\u0085'.repeat(200)],
    ['spaces', ' \u00A0\u3000\u2003\n\t'.repeat(50)],
    ['combining marks alone', '\u0301\u0308\u20DD'.repeat(50)],
    ['variation selectors', '\uFE0F\uFE0E\u{E0100}'.repeat(50)],
    ['fillers and tags', '\u3164\u115F\uFFA0\u{E0041}\u00AD\u2800'.repeat(50)],
    ['references to such characters', '&nbsp;&#8203;&zwnj;&lrm;'],
    ['empty headings', '#\n\n##\n'],
    ['empty quotes', '>\n\n>'],
    ['definitions', '[a]: https://a.example\n'],
    ['hard breaks', '\u200B  \n\u200B  \n\u200B'],
  ])('consists of %s', (_what, text) => expect(isSeen(wholeBlocks(text))).toBe(false))

  test.each([
    'a',
    '。',
    '\u200F.\u200F',
    '👍\uFE0F',
    '`\u200B`x',
    '---',
    '```\n```',
    '| |\n|-|\n',
    '$x$',
    '<!-- -->',
    '<div>',
    '&lt;',
    '\\',
    '![](https://a.example/x.png)',
    '\uE000',
  ])('is none with this in it: %j', text => expect(isSeen(wholeBlocks(text))).toBe(true))
})
