import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { BLANK, inForce, type ModelKnowledge, withSetContext, withSettings } from './capabilities.ts'
import { keptOf, notAmong, withEarlier } from './listing.ts'

const model = (name: string, fields: Partial<ModelKnowledge> = {}): ModelKnowledge => ({
  ...BLANK,
  code: name,
  name,
  offered: true,
  ...fields,
})
const listed = (id: string, fields: object = {}) => ({ ...UNKNOWN_CAPABILITIES, id, for_chat: true, ...fields })

describe('what is in force of a model', () => {
  test('is what was set, else what is read, else not known', () => {
    const known = model('a', {
      ...{ takes_pictures: false, uses_tools: true, context_length: 8192, thinking_levels: ['low', 'high'] },
      set_capabilities: { takes_pictures: true, context_length: 4096, thinking_levels: [] },
    })
    expect(inForce(known)).toEqual({
      takes_pictures: true,
      takes_files: null,
      uses_tools: true,
      context_length: 4096,
      thinking_levels: [],
    })
    expect(inForce(undefined)).toEqual(UNKNOWN_CAPABILITIES)
    const learned = { ...UNKNOWN_CAPABILITIES, takes_pictures: false, takes_files: false }
    const listed = model('a', { takes_pictures: true, takes_files: true, set_capabilities: { takes_files: true } })
    expect(inForce(listed, learned)).toMatchObject({ takes_pictures: false, takes_files: true })
  })
})

describe('what was set and learned of a model', () => {
  const set = { set_capabilities: { takes_files: true }, request_fields: { temperature: 0 } }
  const learned = {
    ...{ learned_context_length: 1000, learned_capabilities: { takes_pictures: false } },
    ...{ learned_digest: 'a', learned_time: 5 },
  }

  test('stays when its upstream lists it anew', () => {
    const before = [model('a', { ...set, ...learned, takes_pictures: true })]
    expect(withEarlier(keptOf([listed('a', { uses_tools: true })], null), before)).toEqual([
      model('a', { ...set, ...learned, uses_tools: true }),
    ])
  })
  test('stays when its upstream lists it no more, and is in force again when it does', () => {
    const gone = withEarlier(keptOf([listed('b')], null), [model('a', { ...set, context_length: 8192 }), model('c')])
    expect(gone).toEqual([model('b'), model('a', { ...set, offered: false, listed: false })])
    expect(withEarlier(keptOf([listed('a')], null), gone)).toEqual([model('a', set)])
  })
  test('stays with the name of the model, whatever its code', () => {
    const picked = [model('big', { name: 'a', label: 'Big' })]
    expect(withEarlier(keptOf([listed('a')], picked), [model('a', set)])[0]).toMatchObject({ code: 'big', ...set })
    expect(notAmong(picked, [model('a', set)])).toEqual([])
  })
})

describe('a picked model', () => {
  test('is read with the others, and stays as it was picked', () => {
    const [kept, other] = keptOf(
      [listed('a', { context_length: 8192 }), listed('b')],
      [model('mine', { name: 'a', label: 'A', set_capabilities: { context_length: 1024 } })],
    )
    expect(kept).toEqual(
      model('mine', { name: 'a', label: 'A', context_length: 8192, set_capabilities: { context_length: 1024 } }),
    )
    expect(other).toEqual(model('b', { offered: false }))
  })
  test.each([
    [8192, null],
    [4096, { context_length: 4096 }],
    [null, null],
  ])('with a context of %j where 8192 is read: %j is set', (context_length, expected) => {
    expect(withSetContext(model('a', { context_length: 8192 }), context_length)).toEqual(expected)
  })
})

describe('what an administrator sets of models', () => {
  const given = { code: 'a', name: 'a', set: { ...UNKNOWN_CAPABILITIES, takes_files: false }, request_fields: null }

  test('is stored without what is not set', () => {
    expect(withSettings([model('a'), model('b')], [given])).toEqual([
      model('a', { set_capabilities: { takes_files: false } }),
      model('b'),
    ])
  })
  test('is taken back by setting nothing', () => {
    const before = [model('a', { set_capabilities: { takes_files: true }, request_fields: { top_k: 1 } })]
    expect(withSettings(before, [{ ...given, set: UNKNOWN_CAPABILITIES }])).toEqual([model('a')])
  })
  test('makes one known that is not listed', () => {
    expect(withSettings([], [{ ...given, code: 'gpt_4', name: 'gpt-4' }])).toEqual([
      model('gpt_4', { name: 'gpt-4', offered: false, listed: false, set_capabilities: { takes_files: false } }),
    ])
  })
})
