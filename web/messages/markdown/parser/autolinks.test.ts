import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { addressLength } from './autolinks.ts'
import { parse } from './parse.ts'

/** The text with its links in angle brackets and what is bold, slanted or struck in braces. */
function outline(node: Nodes): string {
  if (node.type === 'link') return `<${node.url}>`
  if (node.type === 'image') return `image(${node.url})`
  if (!('children' in node)) return 'value' in node ? node.value : ''
  const inside = node.children.map(outline).join('')
  return ['strong', 'emphasis', 'delete'].includes(node.type) ? `{${inside}}` : inside
}

const seen = (text: string) => outline(parse(text))

describe('A bare address', () => {
  test.each([
    ['看 https://example.org/issues/48，然后来解决', '看 <https://example.org/issues/48>，然后来解决'],
    ['访问 https://example.org/docs（中文说明）了解更多', '访问 <https://example.org/docs>（中文说明）了解更多'],
    ['中文https://example.org英文', '中文<https://example.org>英文'],
    [
      '见 https://example.org/a?b=1，谢谢；www.example.org/路径、完',
      '见 <https://example.org/a?b=1>，谢谢；<http://www.example.org/>路径、完',
    ],
    ['请打开https://example.org/docs了解更多', '请打开<https://example.org/docs>了解更多'],
    [
      '日本語はhttps://example.org/jaを見て。한국어는 https://example.org/ko에서 보세요.',
      '日本語は<https://example.org/ja>を見て。한국어는 <https://example.org/ko>에서 보세요.',
    ],
    ['ดูhttps://example.org/aครับ, “https://example.org/b”…', 'ดู<https://example.org/a>ครับ, “<https://example.org/b>”…'],
    ['地址：https://example.org:8080/a#b-c。', '地址：<https://example.org:8080/a#b-c>。'],
    ['https://example.org.谢谢', '<https://example.org>.谢谢'],
    [
      'https://example.org/a,b.html.后 https://example.org/a)后',
      '<https://example.org/a,b.html>.后 <https://example.org/a>)后',
    ],
    [
      'http://localhost后 http://nas:80后 https://example.org에서',
      '<http://localhost>后 <http://nas:80>后 <https://example.org>에서',
    ],
    ['[见 https://example.org/a，然后', '[见 <https://example.org/a>，然后'],
  ])('ends at its last ASCII character: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    [
      'see https://example.org/a_(b), then (https://example.org/c).',
      'see <https://example.org/a_(b)>, then (<https://example.org/c>).',
    ],
    [
      '(see www.example.org/a?b=c&d) and https://example.org/x(y)z!',
      '(see <http://www.example.org/a?b=c&d>) and <https://example.org/x(y)z>!',
    ],
    ['https://example.org/a&amp; http://localhost:8080/x?y', '<https://example.org/a>& <http://localhost:8080/x?y>'],
    [
      '"https://example.org/a" `https://example.org/b` https://example.org/c`d`',
      '"<https://example.org/a>" https://example.org/b <https://example.org/c>d',
    ],
    [
      '[https://example.org/a](https://example.org/b) [https://example.org/c]',
      '<https://example.org/b> [<https://example.org/c>]',
    ],
    [
      'xhttps://example.org http:/example.org https://_a www. wwwx.org www.-a',
      'xhttps://example.org http:/example.org https://_a www. wwwx.org www.-a',
    ],
    [
      'mail me@example.com or 联系me@example.com谢谢',
      'mail <mailto:me@example.com> or 联系<mailto:me@example.com>谢谢',
    ],
    ['HTTPS://EXAMPLE.ORG/A', '<HTTPS://EXAMPLE.ORG/A>'],
  ])('ends in English where GFM ends it: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    ['**https://example.org/a**', '{<https://example.org/a>}'],
    [
      '**https://example.org/a**后，**https://example.org/b**(note) *https://example.org/c*x',
      '{<https://example.org/a>}后，{<https://example.org/b>}(note) {<https://example.org/c>}x',
    ],
    [
      '见https://example.org/a，**重点**。**网址：www.example.org**',
      '见<https://example.org/a>，{重点}。{网址：<http://www.example.org>}',
    ],
    [
      '~~https://example.org/a~~后 _https://example.org/a_b_',
      '{<https://example.org/a>}后 {<https://example.org/a_b>}',
    ],
  ])('leaves the marks around it to emphasis: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test('with a host in other letters is text, where its ASCII part would be another host', () => {
    for (const text of [
      'https://例子.测试/路径',
      'https://www.例子.com 后',
      '见 https://blog.例子.com/a',
      'https://münchen.example/a',
      'https://www.bücher.example',
      'https://abc例子.com',
      '[见 https://münchen.example/a',
    ])
      expect(seen(text)).toBe(text)
  })
  test('has a limited length', () => {
    expect(seen(`https://example.org/${'a'.repeat(5_000)}`)).toMatch(/^<.{4096}>a+$/)
    expect(addressLength('http://a_b.c_d/', '', '')).toBe(0)
  })
})

describe('Marks beside Chinese', () => {
  test.each([
    [
      '~~删除的文字（带括号）。~~这个句子是正确的。\n旧价~~「100元」~~现价80元；',
      '{删除的文字（带括号）。}这个句子是正确的。\n旧价{「100元」}现价80元；',
    ],
    ['原文~~“甲”~~乙，~~《书》~~，~~丙~~丁~~戊~~己', '原文{“甲”}乙，{《书》}，{丙}丁{戊}己'],
    ['한국어~~(강조)~~를, 日本語~~「これ」~~は', '한국어{(강조)}를, 日本語{「これ」}は'],
    ['20~25 度，~一个~，~~~三个~~~，\\~~不~~', '20~25 度，~一个~，~~~三个~~~，~~不~~'],
    ['a ~~b c~~ d~~e~~f ~~ g ~~', 'a {b c} d{e}f ~~ g ~~'],
    ['~~**粗**~~后，**~~删~~**后', '{{粗}}后，{{删}}后'],
  ])('strike what stands between them, and nothing else: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    ['**この文は太字です（This is bold）。**この文のせいで。', '{この文は太字です（This is bold）。}この文のせいで。'],
    [
      '这是一个**“会引起”**错误的**「已知问题」**，含**《书名》**之后。',
      '这是一个{“会引起”}错误的{「已知问题」}，含{《书名》}之后。',
    ],
    [
      '**注意：**正文，*斜体（带括号）。*继续；한국어 **강조(emphasis)**를',
      '{注意：}正文，{斜体（带括号）。}继续；한국어 {강조(emphasis)}를',
    ],
    ['这是 ** 有空格的加粗 ** 文字。', '这是 ** 有空格的加粗 ** 文字。'],
  ])('emphasise it: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
})
