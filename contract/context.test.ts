import { describe, expect, test } from 'vitest'
import { isInContext, isNote, isServiceNotice, roughTokens } from './context.ts'
import type { Message } from './messages.ts'

type ContextMessage = Pick<Message, 'role' | 'author_name' | 'content' | 'metadata'>

const said = (role: Message['role'], text: string | null, more: Partial<ContextMessage> = {}): ContextMessage => ({
  ...{ role, author_name: null, metadata: null },
  content: text === null ? null : { content_type: 'text', text },
  ...more,
})
/** As an import of ChatGPT has it. */
const ofWeb = (fields: object): Pick<ContextMessage, 'metadata'> => ({ metadata: { source: 'openai_web', ...fields } })

describe('the rough count of tokens', () => {
  test('takes a Han character for one, and about three Latin letters too', () => {
    expect(roughTokens('早'.repeat(1000))).toBe(1004)
    expect(roughTokens('x'.repeat(1000))).toBeLessThan(310)
  })
  test('has something for a message without text', () => {
    expect(roughTokens('')).toBeGreaterThan(0)
  })
  test.each(['かな', '한글', '早上', '😀'])(
    'errs on the high side for %s, of which no letter is less than one',
    text => {
      expect(roughTokens(text.repeat(100))).toBeGreaterThanOrEqual([...text].length * 100)
    },
  )
  test('is never less for more', () => {
    for (const text of ['x', '早', '😀', ' ', '\n'])
      for (const length of [0, 1, 10, 999])
        expect(roughTokens(text.repeat(length + 1))).toBeGreaterThanOrEqual(roughTokens(text.repeat(length)))
  })
})

describe('what is sent to a model as context', () => {
  test.each<[string, ContextMessage]>([
    ['a question', said('user', 'Why?')],
    ['an answer', said('assistant', 'Because.')],
    ['what the system says first', said('system', 'Be brief.')],
    ['code for the interpreter', said('assistant', 'print(1)', ofWeb({ recipient: 'python' }))],
    ['what the interpreter printed', said('tool', '1', { author_name: 'python' })],
    ['an answer to all', said('assistant', 'Hello', ofWeb({ recipient: 'all' }))],
    ['an answer that quotes a report', said('assistant', 'Successfully created text document, it says.')],
  ])('is %s', (_what, message) => {
    expect(isInContext(message)).toBe(true)
  })
  test.each<[string, ContextMessage]>([
    ['a hidden system message', said('system', 'x', ofWeb({ is_visually_hidden_from_conversation: true }))],
    ['what the model told its memory', said('assistant', 'Likes tea', ofWeb({ recipient: 'bio' }))],
    ['what it wrote for the canvas', said('assistant', '{}', ofWeb({ recipient: 'canmore.create_textdoc' }))],
    ['what it asked of the web', said('assistant', 'search("x")', ofWeb({ recipient: 'browser' }))],
    ['what the memory answered', said('tool', 'Model set context updated.', { author_name: 'bio' })],
    ['a report of the canvas', said('tool', 'Successfully updated canvas 1', { author_name: 'other' })],
    ['a report of a picture', said('tool', '  GPT-4o returned 2 images.', { author_name: 'other' })],
    ['a report that it failed', said('tool', 'Failed to create text document', { author_name: null })],
  ])('is not %s', (_what, message) => {
    expect(isInContext(message)).toBe(false)
    expect(isNote(message)).toBe(true)
  })
  test('is decided by the whole name of a tool, not by how it begins', () => {
    expect(isNote(said('tool', 'x', { author_name: 'biology' }))).toBe(false)
    expect(isNote(said('tool', 'x', { author_name: 'bio.add' }))).toBe(true)
    expect(isNote(said('tool', 'x', { author_name: 'dalle.text2im' }))).toBe(true)
  })
  test('is looked for at the beginning of a report, however long it is', () => {
    expect(isNote(said('tool', `${'x'.repeat(300)}Model set context updated.`, { author_name: 'web' }))).toBe(false)
    expect(isNote(said('tool', `Model set context updated.${'x'.repeat(5_000_000)}`, { author_name: 'web' }))).toBe(
      true,
    )
  })
})

describe('a notice of the service', () => {
  test('is what its tools report, and what is said to those that only report', () => {
    expect(isServiceNotice('bio', { isTool: true, text: 'anything' })).toBe(true)
    expect(isServiceNotice('bio', { isTool: false, text: 'anything' })).toBe(true)
    expect(isServiceNotice('other', { isTool: true, text: 'DALL·E displayed 1 image.' })).toBe(true)
    expect(isServiceNotice(null, { isTool: true, text: 'Successfully deleted canvas' })).toBe(true)
  })
  test('is not what has a reader: answers, what is written on the canvas, results', () => {
    expect(isServiceNotice('canmore.create_textdoc', { isTool: false, text: '# Title' })).toBe(false)
    expect(isServiceNotice('canmore.create_textdoc', { isTool: true, text: 'done' })).toBe(true)
    expect(isServiceNotice('python', { isTool: true, text: '42' })).toBe(false)
    expect(isServiceNotice(null, { isTool: false, text: 'Successfully deleted canvas' })).toBe(false)
    expect(isServiceNotice('other', { isTool: true, text: null })).toBe(false)
  })
})
