import { describe, expect, test } from 'vitest'
import { sourceText } from './sourceText.ts'
import { incrementalParser } from '../streaming/incrementalParser.ts'
import { wholeBlocks } from './parseWhole.ts'

const picture = (length: number, letter = 'A') => `data:image/png;base64,${letter.repeat(length)}`
const nodesOf = (text: string) =>
  wholeBlocks(text)
    .flat()
    .map(({ node }) => node)

describe('A long picture in a text', () => {
  test('never reaches the parser, and is in the result', () => {
    const url = picture(8_000_000)
    expect(sourceText().prepare(`![点](${url})`, true).length).toBeLessThan(60)
    expect(nodesOf(`前 ![点](${url})\n\n后`)).toMatchObject([
      { children: [{}, { type: 'image', url, alt: '点' }] },
      { type: 'paragraph' },
    ])
  })
  test('is restored wherever it stands', () => {
    const [one, other] = [picture(3_000, 'B'), picture(3_000, 'C')]
    expect(nodesOf(`\`${one}\` ${other}\n\n\`\`\`\n${one}\n\`\`\`\n\n![a][1]\n\n[1]: ${other}`)).toMatchObject([
      {
        children: [
          { type: 'inlineCode', value: one },
          { type: 'text', value: ` ${other}` },
        ],
      },
      { type: 'code', value: one },
      { children: [{ type: 'image', url: other }] },
      {},
    ])
  })
  test('stays the same while its text grows, as do the blocks before it', () => {
    const [one, other] = [picture(5_000, 'B'), picture(4_000, 'C')]
    const text = `一\n\n二\n\n![b](${one})\n\n三 ![c](${other})\n\n\`\`\`\n${other}\n\`\`\`\n\n四`
    const blocks = incrementalParser()
    const first = () => blocks.groups[0]?.[0]
    blocks.update(text.slice(0, 12), false)
    const before = first()
    for (let end = 12; end < text.length; end += 700) blocks.update(text.slice(0, end), false)
    expect(first()).toBe(before)
    blocks.update(text, true)
    const nodes = blocks.groups.flat().map(({ node }) => node)
    expect(nodes.map(({ type }) => type)).toEqual([
      'paragraph',
      'paragraph',
      'paragraph',
      'paragraph',
      'code',
      'paragraph',
    ])
    expect(nodes[2]).toMatchObject({ children: [{ type: 'image', url: one }] })
    expect(nodes[3]).toMatchObject({ children: [{}, { type: 'image', url: other }] })
    expect(nodes[4]).toMatchObject({ value: other })
    const steps = blocks.reparse()
    while (!steps.next().done) {
      /* the next step */
    }
    expect(blocks.groups.flat().map(({ node }) => node)).toEqual(nodes)
  })
  test('within an address is not replaced', () => {
    expect(nodesOf(`https://example.org/?u=data:image/png;base64,${'A'.repeat(300)}`)).toMatchObject([
      { children: [{ type: 'link', url: expect.stringMatching(/A{300}$/) }] },
    ])
  })
  test('has a placeholder that no text can contain', () => {
    expect(nodesOf(`\uFDD30\uFDD3 ![b](${picture(3_000)})`)).toMatchObject([
      { children: [{ value: '\uFFFD0\uFFFD ' }, {}] },
    ])
  })
})
