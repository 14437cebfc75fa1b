import { describe, expect, test } from 'vitest'
import { NewPrompt, promptBlanks } from './prompts.ts'

describe('the blanks of a prompt', () => {
  test('are what stands in brackets, each once, in the order of the text', () => {
    expect(promptBlanks('给 [收信人] 写一封信，说 [事情]。[收信人] 是谁？')).toEqual(['收信人', '事情'])
  })
  test('are neither links nor what spans lines, nor empty', () => {
    expect(promptBlanks('[a link](https://example.org) [] [one\ntwo] [x [y]')).toEqual(['y'])
  })
  test('are bounded, and looked for in no time in what is hostile', () => {
    expect(promptBlanks('['.repeat(8_000))).toEqual([])
    expect(promptBlanks([...Array(100).keys()].map(at => `[${at}]`).join(''))).toHaveLength(30)
  })
})

describe('a prompt', () => {
  const parse = (fields: object) => NewPrompt.safeParse({ name: 'Letter', short_name: 'letter', text: 'x', ...fields })

  test('is one’s own, in use, with its blanks empty unless it says otherwise', () => {
    expect(parse({}).data).toMatchObject({ blanks: {}, is_shared: false, is_active: true })
  })
  test('has a short name of letters of any script, without spaces', () => {
    expect(parse({ short_name: ' 报修信 ' }).data?.short_name).toBe('报修信')
    expect(parse({ short_name: 'Surat_1' }).data?.short_name).toBe('surat_1')
    for (const short_name of ['', 'a b', '/a', 'x'.repeat(33), '-a', 'a\u202Eb'])
      expect(parse({ short_name }).success, short_name).toBe(false)
  })
  test.each([{ name: '' }, { name: 'a\nb' }, { text: '' }, { text: 'x'.repeat(8_001) }])(
    'is refused with %j',
    fields => {
      expect(parse(fields).success).toBe(false)
    },
  )
})
