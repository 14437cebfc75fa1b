import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { CORPUS } from './corpus.testing.ts'
import { isSeen, Markdown, StreamingMarkdown } from './Markdown.tsx'
import { textFeed } from './streaming/textFeed.ts'
import { wholeBlocks } from './parser/parseWhole.ts'

const shown = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))
const streaming = (text: string) => renderToStaticMarkup(createElement(StreamingMarkdown, { feed: textFeed(text) }))

describe('A link', () => {
  test('opens in a new tab and sends no referrer', () => {
    expect(shown('[文档](https://EXAMPLE.com/a)')).toContain(
      '<a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">文档</a>',
    )
  })
  test('written bare ends where Chinese begins', () => {
    expect(shown('见 https://example.com/a?b=1，然后再说。')).toMatch(
      />https:\/\/example\.com\/a\?b=1<\/a>，然后再说。/,
    )
    expect(shown('（www.example.com）')).toMatch(/<a href="http:\/\/www\.example\.com\/"[^>]*>www\.example\.com<\/a>）/)
    expect(shown('https://example.com/路径 后')).toMatch(
      /<a href="https:\/\/example\.com\/"[^>]*>https:\/\/example\.com\/<\/a>路径 后/,
    )
    expect(shown('<https://example.com/路径>')).toContain('href="https://example.com/%E8%B7%AF%E5%BE%84"')
  })
  test('may be a mail address', () => {
    expect(shown('<me@example.com>')).toContain('href="mailto:me@example.com"')
  })
  test('of another scheme, or to a call of the portal, is only its text', () => {
    for (const url of [
      'javascript:alert(1)',
      'ftp://x.example',
      '/admin',
      '//evil.example',
      '#a',
      'sandbox:/mnt/data/a.csv',
    ]) {
      expect(shown(`[text](${url})`)).toMatch(/<p dir="auto">text<\/p>/)
    }
  })
})

describe('A picture', () => {
  test('of another host is a link that sends no referrer', () => {
    const page = shown('![一张图](https://elsewhere.example/p.png)')
    expect(page).not.toContain('<img')
    expect(page).toMatch(
      /<a href="https:\/\/elsewhere\.example\/p\.png" target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">/i,
    )
    expect(page).toContain('一张图')
  })
  test('at an address of the portal that is no file is its description, or its address', () => {
    expect(shown('![一张图](/api/conv) ![](/api/conv)')).toMatch(/<p[^>]*>一张图 \/api\/conv<\/p>/)
  })
  test('inlined in the text is shown', () => {
    expect(shown('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain('<img')
  })
})

describe('Chinese', () => {
  test('is bold between its own marks', () => {
    expect(shown('**“重点”（强调）**后文')).toContain('<p dir="auto"><strong>“重点”（强调）</strong>后文</p>')
  })
  test('keeps a tilde between numbers', () => {
    expect(shown('20~25 度，30~35 度')).toContain('<p dir="auto">20~25 度，30~35 度</p>')
  })
  test('is emphasised by weight, not by italics', () => {
    expect(shown('*重点*')).toMatch(/<em class="[^"]*weight[^"]*">/)
    expect(shown('*word*')).toContain('<em>word</em>')
  })
})

describe('Markup', () => {
  test('between paragraphs is a paragraph of its own', () => {
    expect(shown('<div>b</div>\n\n<p>c</p>')).toMatch(
      /<p dir="auto" class="[^"]*">&lt;div&gt;b&lt;\/div&gt;<\/p><p dir="auto" class="[^"]*">&lt;p&gt;c&lt;\/p&gt;<\/p>/,
    )
    expect(shown('> <div>\n\n- <p>')).toMatch(
      /<blockquote><p dir="auto" class="[^"]*">&lt;div&gt;<\/p><\/blockquote><ul><li><p dir="auto" class="[^"]*">&lt;p&gt;<\/p>/,
    )
  })
  test('inside a sentence stays inside', () => {
    expect(shown('a <b>c</b> **<i>**')).not.toMatch(/<p[ >].*<p[ >]/)
  })
})

describe('HTML', () => {
  /** Without the classes, and without what is around a paragraph. */
  const bare = (text: string, draw = shown) =>
    draw(text)
      .replace(/ (?:class|style|data-box|aria-hidden|translate)="[^"]*"/g, '')
      .replace(/^<div><div>|<\/div><\/div>$/g, '')
  test.each([
    ['H<sub>2</sub>O, x<sup>**2**</sup>', '<p dir="auto">H<sub>2</sub>O, x<sup><strong>2</strong></sup></p>'],
    ['<kbd>Ctrl</kbd>+<KBD class="k" onclick=x>C</KBD>', '<p dir="auto"><kbd>Ctrl</kbd>+<kbd>C</kbd></p>'],
    ['<mark><u>一</u>二</mark><br/>三<br onclick=x>四', '<p dir="auto"><mark><u>一</u>二</mark><br/>三<br/>四</p>'],
    [
      '**<u>a</u>** [<u>b</u>](https://example.org)',
      '<p dir="auto"><strong><u>a</u></strong> <a href="https://example.org/" title="https://example.org/" target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer"><u>b</u></a></p>',
    ],
    ['<mark>\na\n</mark>', '<div dir="auto"><mark>\na\n</mark></div>'],
    [
      '<details open onclick=x>\n<summary>更多 <b>x</b></summary>\n里面 H<sub>2</sub>O\n</details>',
      '<div><details open=""><summary dir="auto">更多 <span>&lt;b&gt;</span>x<span>&lt;/b&gt;</span></summary><div><p dir="auto">里面 H<sub>2</sub>O</p></div></details></div>',
    ],
    [
      '<details><summary>a</summary><details><summary>b</summary>c</details></details>',
      '<div><details><summary dir="auto">a</summary><details><summary dir="auto">b</summary><div><p dir="auto">c</p></div></details></details></div>',
    ],
  ])('of a few kinds is made from the tree: %s', (text, page) => expect(bare(text)).toBe(page))
  test.each([
    ['<u>a', '<u>'],
    ['a</u>', '</u>'],
    ['<sub>a<sup>b</sub>c</sup>', '<sup>b'],
    ['**a<u>b**c</u>', '<u>'],
    ['<b>a</b>', '<b>'],
    ['a <details><summary>b</summary></details>', '<details>'],
    ['<sub/>a</sub>', '<sub/>'],
    ['<summary>a</summary>', '<summary>'],
    ['<u><details>\n</u></details>', '<details>'],
    ['`<u>a</u>`', '<u>a</u>'],
    ['\\<u>a\\</u>', '<u>a</u>'],
  ])('that is not closed where it was opened, or any other, is text: %s', (text, left) => {
    expect(shown(text).replace(/<\/?span[^>]*>/g, '')).toContain(left.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  })
  test('that is still arriving is closed provisionally', () => {
    const caret = '<span></span>'
    for (const [text, page] of [
      ['H<su', 'H'],
      ['H<sub>2', 'H<sub>2</sub>'],
      ['H<sub>2</su', 'H<sub>2</sub>'],
      ['H<sub>2</sub>', 'H<sub>2</sub>'],
      ['<u>**a', '<u><strong>a</strong></u>'],
    ] as const) {
      expect(bare(text, streaming)).toBe(`<p dir="auto">${page}${caret}</p>`)
    }
    expect(bare('<details>\n<summary>a</summary>', streaming)).toContain(
      '<details><summary dir="auto">a</summary></details>',
    )
    expect(bare('<details>\n<summary>a</summary>\nb', streaming)).toContain(
      `<details><summary dir="auto">a</summary><div><p dir="auto">b${caret}</p></div></details>`,
    )
  })
  test('is nested to a limit', () => {
    const page = shown(`a ${'<sub>'.repeat(200)}x${'</sub>'.repeat(200)}`)
    expect(page.match(/<sub>/g)).toHaveLength(20)
    expect(page).toContain('&lt;sub&gt;')
    expect(shown(`${'<details>'.repeat(900)}x${'</details>'.repeat(900)}`).match(/<details>/g)).toHaveLength(20)
  })
})

describe('A text from the right', () => {
  test('has its direction block by block', () => {
    const page = shown(
      '# שלום\n\nمرحبا بك في API.\n\n> نص\n\nAn English paragraph.\n\n| الاسم | القيمة |\n| --- | --- |\n| أول | 1 |',
    )
    expect(page).toContain('<h2 dir="auto">')
    expect(page.match(/<p dir="auto">/g)).toHaveLength(3)
    expect(page).toContain('<blockquote dir="rtl"><p dir="auto">')
    expect(page).toMatch(/<div [^>]*dir="rtl"[^>]*><table>/)
    expect(page).toMatch(/<td>أول<\/td>/)
  })
  test('isolates the other direction within a cell, figures among them', () => {
    expect(shown('| الاسم | القيمة |\n| --- | --- |\n| API | -5 |')).toMatch(
      /<td><bdi dir="ltr">API<\/bdi><\/td><td><bdi dir="ltr">-5<\/bdi><\/td>/,
    )
    expect(shown('| a | b |\n| --- | --- |\n| أول | -5 |')).toMatch(/<td><bdi dir="rtl">أول<\/bdi><\/td><td>-5<\/td>/)
  })
  test('has the marks of its lists on the side of its first item', () => {
    expect(shown('- البند `npm start`\n- English\n- 1')).toMatch(
      /<ul dir="rtl"><li dir="rtl">البند <code dir="ltr" translate="no">npm start<\/code><\/li><li dir="rtl"><div dir="auto">English<\/div><\/li><li dir="rtl">1<\/li><\/ul>/,
    )
    expect(shown('1. `a` English\n2. עברית')).toMatch(
      /<ol dir="auto" start="1"><li dir="auto"><code dir="ltr" translate="no">a<\/code> English<\/li><li dir="ltr"><div dir="auto">עברית<\/div><\/li><\/ol>/,
    )
  })
  test('has its code and formulas from the left', () => {
    expect(shown('```js\nלא()\n```')).toMatch(/<div class="[^"]*" dir="ltr"[^>]*>.*<pre/)
    expect(shown('מספר $x^2$')).toMatch(/<p dir="auto">מספר <span dir="ltr"/)
  })
})

describe('A row of a table', () => {
  test('may have more cells than the head, and none is lost', () => {
    expect(shown('| a | b |\n| - | - |\n| 1 | 2 | 3 | 4 |').match(/<td/g)).toHaveLength(4)
  })
  test('may have fewer', () => {
    expect(shown('| a | b |\n| - | - |\n| 1 |').match(/<td/g)).toHaveLength(1)
  })
})

describe('A growing text', () => {
  test('ends in a dot', () => {
    expect(streaming('一段**重')).toMatch(
      /<strong>重<\/strong><span class="[^"]*caret[^"]*" aria-hidden="true"><\/span><\/p>/,
    )
    expect(streaming('- 一\n- 二')).toMatch(/二<span class="[^"]*caret/)
    expect(streaming('```py\nx')).toMatch(/x<span class="[^"]*caret/)
    expect(streaming('')).toMatch(/caret/)
  })
  test('looks at its end like a text that was always complete, though no browser translates it yet', () => {
    for (const text of CORPUS) {
      const feed = textFeed(text, true)
      const markup = renderToStaticMarkup(createElement(StreamingMarkdown, { feed }))
      expect(markup.replace(' translate="no"', '')).toBe(shown(text))
    }
  })
})

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
