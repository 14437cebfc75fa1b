import { describe, expect, test } from 'vitest'
import { plainText } from './documents.testing.ts'
import { attributeOf, type Token, tokensOf } from './markup.ts'

const outlineOf = (tokens: Iterable<Token>) =>
  [...tokens]
    .map(token => (token.kind === 'text' ? token.text : `${token.kind === 'close' ? '/' : ''}${token.name};`))
    .join('')

describe('markup', () => {
  test('is the same in whichever pieces it comes', () => {
    const text = '<?xml version="1.0"?><a:b c="x>y"><!-- <no> --><![CDATA[1 < 2 &amp;]]> t&amp;t&#33;<d/></a:b>'
    const whole = outlineOf(tokensOf([text]))
    expect(whole).toBe('b;1 < 2 &amp; t&t!d;/b;')
    for (const size of [1, 2, 3, 7]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(outlineOf(tokensOf(pieces)), String(size)).toBe(whole)
    }
  })
  test.each(['<', '<a', '<a b="', '<!--', '<![CDATA[', 'a < b', '</', '<>', '&', '&#xffffffff;', '<a b=">'])(
    'that is broken is read to its end: %s',
    text => {
      expect(outlineOf(tokensOf([text, ' end'])).length).toBeLessThan(100)
      expect(outlineOf(tokensOf([text, ' end'], true)).length).toBeLessThan(100)
    },
  )
  test('defines no entities of its own', () => {
    const text = '<!DOCTYPE a [<!ENTITY b "bbb">]><a>&b;&b;</a>'
    expect(outlineOf(tokensOf([text]))).not.toContain('bbb;')
    expect(outlineOf(tokensOf([text]))).toContain('&b;&b;')
  })
  test('of a hundred thousand open tags takes one pass', () => {
    expect([...tokensOf(['<a b=c>'.repeat(100_000)], true)]).toHaveLength(100_000)
    expect([...tokensOf(["<a b='".repeat(100_000)], true)].length).toBeGreaterThan(0)
  })
  test('has attributes by their names alone', () => {
    const [token] = tokensOf(['<w:p w:val="a&quot;b" r:id=\'7\' bare=x>'])
    if (token?.kind !== 'open') throw new Error('it is a tag')
    expect(['val', 'id', 'bare', 'b'].map(name => attributeOf(token, name))).toEqual(['a"b', '7', 'x', undefined])
  })
})

describe('a web page', () => {
  test('is its text as Markdown, without scripts, styles and what is in its head', async () => {
    const page =
      '<!doctype html><head><title>T</title><style>p{}</style></head><body><script>alert("<p>")</script>' +
      '<H1>Top</H1><p>One<br>two &copy;</p><ul><li>a<li><p>b</p></ul><ol><li>c</li></ol><pre>x\n  y</pre>' +
      '<blockquote>said</blockquote><table><tr><th>k<th>v<tr><td colspan=2>w</table><img alt="a cat" src="data:x">'
    expect(await plainText(page, 'webPage')).toBe(
      '# Top\n\nOne\ntwo ©\n\n- a\n- b\n1. c\n\n```\nx\n  y\n```\n\n> said\n\n| k | v |\n| --- | --- |\n| w |  |\n\na cat\n',
    )
  })
  test('with script in a picture is text: nothing of it is made', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect(await plainText(svg, 'code')).toBe(svg)
  })
})
