import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { aBomb, aBook, anOpenDocument, aPresentation, aWordFile, paragraph, shape } from '../files.testing.ts'
import { BOUNDS } from '../reading.ts'
import { openArchive } from './archive.ts'
import { openPacked } from './documents.ts'
import { packedTexts, pagesOf } from './documents.testing.ts'

describe('a presentation', () => {
  test('is a page for each slide in their order, with its title, points, tables and notes', async () => {
    const table =
      '<a:tbl><a:tr><a:tc><a:p><a:r><a:t>x</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>y</a:t></a:r></a:p></a:tc></a:tr></a:tbl>'
    const file = aPresentation([
      { shapes: shape('title', 'Plan') + shape('body', 'one', 'two') + shape('sldNum', '1'), notes: 'speak slowly' },
      { shapes: shape('ctrTitle', 'End') + table },
    ])
    expect(await packedTexts(file)).toEqual([
      '# Plan\n\n- one\n- two\n\n> speak slowly\n',
      '# End\n\n| x | y |\n| --- | --- |\n',
    ])
  })
})

describe('an OpenDocument', () => {
  test('text has its headings, lists, notes and tables', async () => {
    const body =
      '<text:h text:outline-level="2">Top</text:h><text:p>a<text:s text:c="2"/>b<text:note><text:note-body><text:p>see</text:p></text:note-body></text:note> c</text:p>' +
      '<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item></text:list>' +
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>'
    expect(await packedTexts(anOpenDocument('text', body))).toEqual([
      '## Top\n\na b [see] c\n\n- one\n  - in\n\n| x | y |\n| --- | --- |\n',
    ])
  })
  test('sheet is a table, and repeats cells and rows only where they have text', async () => {
    const body =
      '<table:table table:name="Costs"><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell><table:table-cell office:value="3"/></table:table-row>' +
      '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>'
    expect(await packedTexts(anOpenDocument('spreadsheet', body))).toEqual(['| x | x | 3 |\n| --- | --- | --- |\n'])
  })
  test('presentation is a page for each slide', async () => {
    const body =
      '<draw:page draw:name="A"><draw:frame><draw:text-box><text:p>one</text:p></draw:text-box></draw:frame></draw:page><draw:page><text:p>two</text:p></draw:page>'
    expect(await packedTexts(anOpenDocument('presentation', body))).toEqual(['one\n', 'two\n'])
  })
  test('with a password cannot be opened', async () => {
    const further = {
      'META-INF/manifest.xml': '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>',
    }
    await expect(packedTexts(anOpenDocument('text', '', further))).rejects.toMatchObject({ reason: 'encrypted' })
  })
})

describe('a book', () => {
  test('is a page for each chapter in the order of reading', async () => {
    expect(await packedTexts(aBook(['<h1>One</h1><p>It was&nbsp;dark.</p>', '<p>Then light.</p>']))).toEqual([
      '# One\n\nIt was dark.\n',
      'Then light.\n',
    ])
  })
  test('that is protected cannot be opened, and one with protected fonts can', async () => {
    const protecting = (path: string) => ({
      'META-INF/encryption.xml': `<encryption><CipherReference URI="${path}"/></encryption>`,
    })
    await expect(packedTexts(aBook(['<p>x</p>'], protecting('OEBPS/text/chapter%200.xhtml')))).rejects.toMatchObject({
      reason: 'encrypted',
    })
    expect(await packedTexts(aBook(['<p>x</p>'], protecting('OEBPS/font.otf')))).toEqual(['x\n'])
  })
})

describe('an archive', () => {
  test('that unpacks to more than the bound is read up to there', async () => {
    const { pages, error } = await pagesOf(async into => (await openPacked(aBomb(BOUNDS.unpacked + 1))).read(into))
    expect(error).toMatchObject({ reason: 'unpacksTooLarge' })
    expect(pages.map(({ text }) => text)).toEqual(['the text before\n'])
  })
  test('that breaks off is broken', async () => {
    const whole = aWordFile(paragraph('x'))
    await expect(openPacked(whole.slice(0, whole.size - 30))).rejects.toMatchObject({ reason: 'broken' })
    await expect(openPacked(new Blob([]))).rejects.toMatchObject({ reason: 'broken' })
  })
  test('of anything else is not taken', async () => {
    const file = new Blob([zipSync({ 'notes.txt': strToU8('x') })])
    await expect(openPacked(file)).rejects.toMatchObject({ reason: 'notTaken' })
  })
  test('has entries that are stored as they are, and none by another name', async () => {
    const archive = await openArchive(new Blob([zipSync({ 'a.xml': [strToU8('<a>你好</a>'), { level: 0 }] })]))
    expect([...(await archive.text('a.xml'))].join('')).toBe('<a>你好</a>')
    expect([...(await archive.text('../a.xml'))]).toEqual([])
  })
})
