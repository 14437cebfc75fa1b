import { describe, expect, test } from 'vitest'
import { aWordFile, paragraph } from '../files.testing.ts'
import { packedTexts } from './documents.testing.ts'

const numbered = (list: number, level = 0) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`

describe('a Word document', () => {
  test('keeps its headings, also those of styles that are based on one', async () => {
    const body =
      paragraph('Rules', '<w:pStyle w:val="1"/>') + paragraph('Mine', '<w:pStyle w:val="Own"/>') + paragraph('Text')
    expect(await packedTexts(aWordFile(body))).toEqual(['# Rules\n\n# Mine\n\nText\n'])
  })
  test('has its lists, numbered where they are', async () => {
    const body =
      paragraph('one', numbered(1)) +
      paragraph('two', numbered(1)) +
      paragraph('within', numbered(2, 1)) +
      paragraph('after')
    expect(await packedTexts(aWordFile(body))).toEqual(['1. one\n2. two\n  - within\n\nafter\n'])
  })
  test('has its tables as Markdown, with a bar in a cell escaped', async () => {
    const body = `<w:tbl><w:tr>${cell('Name')}${cell('Age')}</w:tr><w:tr>${cell('a|b')}${cell('7')}</w:tr></w:tbl>${paragraph('after')}`
    expect(await packedTexts(aWordFile(body))).toEqual(['| Name | Age |\n| --- | --- |\n| a\\|b | 7 |\n\nafter\n'])
  })
  test('has the pages that Word laid out, and counts a break of the author once', async () => {
    const body =
      paragraph('first') +
      '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' +
      '<w:p><w:r><w:lastRenderedPageBreak/><w:t>second</w:t></w:r></w:p>' +
      '<w:p><w:r><w:t>still </w:t><w:lastRenderedPageBreak/><w:t>third</w:t></w:r></w:p>'
    expect(await packedTexts(aWordFile(body))).toEqual(['first\n', 'second\n\nstill\n', 'third\n'])
  })
  test('is without deleted text, and has its notes', async () => {
    const body =
      '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    const notes =
      '<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>see there</w:t></w:r></w:p></w:footnote></w:footnotes>'
    expect(await packedTexts(aWordFile(body, { 'word/footnotes.xml': notes }))).toEqual([
      'kept[^2]\n\n[^2]: see there\n',
    ])
  })
  test('has text between entities as it was written', async () => {
    expect(await packedTexts(aWordFile(paragraph('a &lt; b &amp;amp; &#x4f60;&#22909;')))).toEqual([
      'a < b &amp; 你好\n',
    ])
  })
  test('whose styles refer to each other in a ring is read', async () => {
    const styles =
      '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>'
    expect(
      await packedTexts(aWordFile(paragraph('x', '<w:pStyle w:val="A"/>'), { 'word/styles.xml': styles })),
    ).toEqual(['x\n'])
  })
})
