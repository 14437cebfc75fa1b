import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { CORPUS } from './corpus.testing.ts'
import { HOSTILE } from './hostile.testing.ts'
import { Markdown, StreamingMarkdown } from './Markdown.tsx'
import { textFeed } from './streaming/textFeed.ts'

const shown = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))
const streaming = (text: string) => renderToStaticMarkup(createElement(StreamingMarkdown, { feed: textFeed(text) }))

const ELEMENTS = new Set([
  'div',
  'p',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'input',
  'strong',
  'em',
  'del',
  'code',
  'pre',
  'span',
  'br',
  'hr',
  'blockquote',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'bdi',
  'a',
  'img',
  'sup',
  'sub',
  'kbd',
  'mark',
  'u',
  'details',
  'summary',
  'button',
  'svg',
  'path',
])
const ATTRIBUTES = new Set([
  'class',
  'translate',
  'start',
  'dir',
  'open',
  'type',
  'disabled',
  'readonly',
  'checked',
  'aria-label',
  'aria-hidden',
  'aria-pressed',
  'title',
  'tabindex',
  'role',
  'scope',
  'data-box',
  'data-not-copied',
  'data-tex',
  'data-display',
  'style',
  'data-note',
  'data-note-mark',
  'data-tip',
  'href',
  'target',
  'rel',
  'referrerpolicy',
  'src',
  'alt',
  'loading',
  'decoding',
  // of the icons
  'xmlns',
  'width',
  'height',
  'viewbox',
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'd',
])

type Element = { name: string; attributes: Record<string, string> }

/** The elements of a page made by React, in which every `<` of a text is escaped. */
function elements(page: string): Element[] {
  return [...page.matchAll(/<([^\s/>]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, name = '', rest = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key.toLowerCase(), value]),
    ),
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
    if (attributes.src !== undefined)
      expect(attributes.src).toMatch(/^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[\w+/=]*$/)
  }
}

describe('A hostile text', () => {
  test.each(HOSTILE.map(text => [JSON.stringify(text), text]))('stays text: %s', (_, text) => {
    expectHarmless(shown(text))
    expectHarmless(shown(`> - ${text.replaceAll('\n', '\n>   ')}\n\n| a |\n| - |\n| ${text.split('\n')[0]} |`))
    for (let end = 1; end <= text.length; end += 3) expectHarmless(streaming(text.slice(0, end)))
  })

  test('keeps all its letters', () => {
    expect(shown('<script>alert(1)</script>')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(shown('a <b onclick=x>c</b>')).toContain('&lt;b onclick=x&gt;')
  })
})

describe('Any text', () => {
  test('is made of known elements only', () => {
    for (const text of CORPUS) expectHarmless(shown(text))
  })
})
