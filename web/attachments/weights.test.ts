import { describe, expect, test } from 'vitest'
import type { DocumentContent, DraftAttachment } from './attachment.ts'
import { aDocument, aModel, aPicture } from './builders.testing.ts'
import { planned, shareText, shortContext, shortCount, tokensOf, type Way } from './weights.ts'

const plan = (attachments: DraftAttachment[], room: number, others = [aModel()], question = 0) =>
  // A quarter of a context is kept for the answer.
  planned(attachments, question, aModel({ context_length: (room * 4) / 3 }), others)

const pages = (count: number, each: number): Partial<DocumentContent> => ({
  page_count: count,
  tokens: count * each,
  page_tokens: Array.from({ length: count }, () => each),
})

const kinds = (ways: readonly Way[] | undefined) => ways?.map(({ kind }) => kind)

describe('the tokens of a document', () => {
  test('are those of the pages that go with the question', () => {
    expect(tokensOf(aDocument(pages(10, 100)), { as: 'text', pages: '1-3, 9' }, 'm')).toBe(400)
  })
  test('are shared out evenly where those of a page are not known any more', () => {
    expect(tokensOf(aDocument({ page_count: 4, tokens: 400 }), { as: 'text', pages: '1' }, 'm')).toBe(100)
  })
  test('grow with its pages where it is looked at', () => {
    const one = tokensOf(aDocument(pages(2, 1)), { as: 'picture', pages: '1' }, 'gpt-4o') ?? 0
    expect(one).toBeGreaterThan(0)
    expect(tokensOf(aDocument(pages(2, 1)), { as: 'picture', pages: null }, 'gpt-4o')).toBe(2 * one)
  })
  test('are not known before it is read', () => {
    expect(tokensOf({ content: null, size: 5 }, { as: 'text', pages: null }, 'm')).toBe(null)
  })
})

describe('a plan', () => {
  test('leaves everything as it was chosen where it fits, or where the context is not known', () => {
    const document = aDocument(pages(10, 100))
    expect(plan([document], 1_000)).toMatchObject({ isOpen: false, tokens: 1_000, room: 1_000 })
    expect(planned([document], 0, aModel({ context_length: null }), [])).toMatchObject({ isOpen: false, room: null })
  })
  test('says of what is too long how many pages would fit, and waits for a choice', () => {
    const { attachments, isOpen } = plan([aDocument(pages(10, 100))], 450)
    expect(isOpen).toBe(true)
    expect(attachments[0]?.tooLong?.ways).toEqual([
      { kind: 'pages', pages: '1-4', count: 4, is_first: true, left_out: 6, tokens: 400 },
    ])
  })
  test('counts the question as well', () => {
    expect(plan([aDocument(pages(10, 100))], 1_000, [], 1)).toMatchObject({ isOpen: true })
  })
  test('goes by what was chosen', () => {
    const document = { ...aDocument(pages(10, 100)), remedy: { kind: 'pages', pages: '1-4' } as const }
    const { attachments, isOpen, tokens } = plan([document], 450)
    expect([isOpen, tokens, attachments[0]?.form.pages]).toEqual([false, 400, '1-4'])
    // With a model that has room, nothing need be left out.
    expect(plan([document], 1_000).attachments[0]).toMatchObject({ tooLong: null, form: { pages: null } })
  })
  test('offers the text of what is looked at, and a larger model that sees, the cheapest first', () => {
    const scan = { ...aDocument(pages(40, 10)), as: 'picture' as const }
    const larger = aModel({ code: 'large', context_length: 10_000_000, takes_pictures: true })
    const blind = aModel({ code: 'blind', context_length: 10_000_000, takes_pictures: false })
    const { attachments } = plan([scan], 5_000, [blind, larger])
    expect(kinds(attachments[0]?.tooLong?.ways)).toEqual(['text', 'pages', 'model'])
    expect(attachments[0]?.tooLong?.ways.at(-1)).toMatchObject({ code: 'large' })
  })
  test('offers no text of a scan, and no pages of what has none', () => {
    const scan = aDocument({ page_count: 9, tokens: null, has_layout: true })
    expect(kinds(plan([scan], 3_000).attachments[0]?.tooLong?.ways)).toEqual(['pages'])
    expect(plan([aDocument({ page_count: null, tokens: 900 })], 100).attachments[0]?.tooLong?.ways).toEqual([])
  })
  test('begins with what weighs most, and leaves the others alone', () => {
    const [small, large] = [aDocument(pages(2, 100), 'small'), aDocument(pages(9, 100), 'large')]
    const { attachments } = plan([small, large], 700)
    expect(attachments.map(({ tooLong }) => tooLong?.tokens ?? null)).toEqual([null, 900])
    expect(attachments[1]?.tooLong?.ways).toMatchObject([{ pages: '1-5' }])
  })
  test('of pictures that are too many can only leave one out', () => {
    const { isOpen, attachments } = plan([aPicture(), aPicture()], 100)
    expect([isOpen, attachments[0]?.tooLong?.ways]).toEqual([true, []])
  })
})

describe('a number', () => {
  test.each([
    [950, '950'],
    [2_100, '2.1k'],
    [18_000, '18k'],
    [999_600, '1M'],
    [1_250_000, '1.3M'],
  ])('of tokens, %i, is %s', (count, text) => {
    expect(shortCount(count)).toBe(text)
  })
  test('of a context is said as it is advertised', () => {
    expect([32_768, 128_000, 8_192, 1_048_576].map(shortContext)).toEqual(['32k', '128k', '8k', '1M'])
  })
  test('of a share is the nearest that people say, and none where it is little', () => {
    expect([shareText(18, 26), shareText(1, 2), shareText(1, 20), shareText(9, 0)]).toEqual([
      '2/3',
      '1/2',
      null,
      '9/10',
    ])
  })
})
