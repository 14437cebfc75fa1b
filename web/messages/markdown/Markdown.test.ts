import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { CORPUS } from './corpus.testing.ts'
import { HOSTILE } from './hostile.testing.ts'
import { Markdown, StreamingMarkdown } from './Markdown.tsx'
import { textFeed } from './textFeed.ts'

const shown = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))
const streaming = (text: string) => renderToStaticMarkup(createElement(StreamingMarkdown, { feed: textFeed(text) }))

const ELEMENTS = new Set(['div', 'p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'input', 'strong', 'em', 'del', 'code', 'pre',
  'span', 'br', 'hr', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'img', 'sup', 'button', 'svg', 'path'])
const ATTRIBUTES = new Set(['class', 'start', 'type', 'disabled', 'readonly', 'checked', 'aria-label', 'aria-hidden', 'aria-pressed',
  'title', 'tabindex', 'role', 'scope', 'data-box', 'style', 'data-note', 'data-note-mark', 'data-tip', 'href', 'target', 'rel', 'referrerpolicy', 'src', 'alt', 'loading', 'decoding',
  // of the icons
  'xmlns', 'width', 'height', 'viewbox', 'fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'd'])

type Element = { name: string; attributes: Record<string, string> }

/** The elements of a page made by React, in which every `<` of a text is escaped. */
function elements(page: string): Element[] {
  return [...page.matchAll(/<([^\s/>]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, name = '', rest = '']) => ({
    name,
    attributes: Object.fromEntries([...rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key.toLowerCase(), value])),
  }))
}

function expectHarmless(page: string): void {
  const found = elements(page)
  expect(page.replace(/<\/?[a-z][^<]*?>/g, '')).not.toContain('<')
  for (const { name, attributes } of found) {
    expect(ELEMENTS).toContain(name)
    for (const attribute of Object.keys(attributes)) expect(ATTRIBUTES).toContain(attribute)
    // Nothing but how high a box is taken for.
    if (attributes.style !== undefined) expect(attributes.style).toMatch(/^contain-intrinsic-block-size:auto \d+px$/)
    if (attributes.href !== undefined) {
      expect(attributes.href).toMatch(/^(?:https?|mailto):/)
      expect(attributes).toMatchObject({ target: '_blank', rel: 'noopener noreferrer', referrerpolicy: 'no-referrer' })
    }
    // There is no origin of its own where this runs, so no picture from an address is the portal's own.
    if (attributes.src !== undefined) expect(attributes.src).toMatch(/^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[\w+/=]*$/)
  }
}

describe('A hostile text', () => {
  test.each(HOSTILE.map(text => [JSON.stringify(text), text]))('stays text: %s', (_, text) => {
    expectHarmless(shown(text))
    expectHarmless(shown(`> - ${text.replaceAll('\n', '\n>   ')}\n\n| a |\n| - |\n| ${text.split('\n')[0]} |`))
    for (let end = 1; end <= text.length; end += 3) expectHarmless(streaming(text.slice(0, end)))
  })

  test('loses none of its letters', () => {
    expect(shown('<script>alert(1)</script>')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(shown('a <b onclick=x>c</b>')).toContain('&lt;b onclick=x&gt;')
  })
})

describe('Any text', () => {
  test('is made of known elements only', () => {
    for (const text of CORPUS) expectHarmless(shown(text))
  })
})

describe('A link', () => {
  test('leads outside in a new tab and says nothing of where it was', () => {
    expect(shown('[文档](https://EXAMPLE.com/a)')).toContain(
      '<a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">文档</a>')
  })
  test('written bare ends where Chinese begins', () => {
    expect(shown('见 https://example.com/a?b=1，然后再说。')).toMatch(/>https:\/\/example\.com\/a\?b=1<\/a>，然后再说。/)
    expect(shown('（www.example.com）')).toMatch(/<a href="http:\/\/www\.example\.com\/"[^>]*>www\.example\.com<\/a>）/)
    expect(shown('https://example.com/路径 后')).toMatch(/<a href="https:\/\/example\.com\/"[^>]*>https:\/\/example\.com\/<\/a>路径 后/)
    expect(shown('<https://example.com/路径>')).toContain('href="https://example.com/%E8%B7%AF%E5%BE%84"')
  })
  test('may write a letter', () => {
    expect(shown('<me@example.com>')).toContain('href="mailto:me@example.com"')
  })
  test('of another scheme, or within the portal, is only its text', () => {
    for (const url of ['javascript:alert(1)', 'ftp://x.example', '/admin', '//evil.example', '#a', 'sandbox:/mnt/data/a.csv']) {
      expect(shown(`[text](${url})`)).toMatch(/<p>text<\/p>/)
    }
  })
})

describe('A picture', () => {
  test('from elsewhere is a link, without telling its host who follows it', () => {
    const page = shown('![一张图](https://elsewhere.example/p.png)')
    expect(page).not.toContain('<img')
    expect(page).toMatch(/<a href="https:\/\/elsewhere\.example\/p\.png" target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">/i)
    expect(page).toContain('一张图')
  })
  test('of the portal that is no file is its description, or its address', () => {
    expect(shown('![一张图](/api/conv) ![](/api/conv)')).toMatch(/<p[^>]*>一张图 \/api\/conv<\/p>/)
  })
  test('inside the text is shown', () => {
    expect(shown('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain('<img')
  })
})

describe('Chinese', () => {
  test('is bold between its own marks', () => {
    expect(shown('**“重点”（强调）**后文')).toContain('<p><strong>“重点”（强调）</strong>后文</p>')
  })
  test('keeps its ranges', () => {
    expect(shown('20~25 度，30~35 度')).toContain('<p>20~25 度，30~35 度</p>')
  })
  test('is emphasised by weight and never slanted', () => {
    expect(shown('*重点*')).toMatch(/<em class="[^"]*weight[^"]*">/)
    expect(shown('*word*')).toContain('<em>word</em>')
  })
})

describe('Markup', () => {
  test('between paragraphs is a paragraph of its own', () => {
    expect(shown('<div>b</div>\n\n<p>c</p>')).toMatch(/<p class="[^"]*">&lt;div&gt;b&lt;\/div&gt;<\/p><p class="[^"]*">&lt;p&gt;c&lt;\/p&gt;<\/p>/)
    expect(shown('> <div>\n\n- <p>')).toMatch(/<blockquote><p class="[^"]*">&lt;div&gt;<\/p><\/blockquote><ul><li><p class="[^"]*">&lt;p&gt;<\/p>/)
  })
  test('inside a sentence stays inside', () => {
    expect(shown('a <b>c</b> **<i>**')).not.toMatch(/<p>.*<p/)
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
    expect(streaming('一段**重')).toMatch(/<strong>重<\/strong><span class="[^"]*caret[^"]*" aria-hidden="true"><\/span><\/p>/)
    expect(streaming('- 一\n- 二')).toMatch(/二<span class="[^"]*caret/)
    expect(streaming('```py\nx')).toMatch(/x<span class="[^"]*caret/)
    expect(streaming('')).toMatch(/caret/)
  })
  test('looks at its end as a text that was always complete', () => {
    for (const text of CORPUS) {
      expect(renderToStaticMarkup(createElement(StreamingMarkdown, { feed: textFeed(text, true) }))).toBe(shown(text))
    }
  })
})
