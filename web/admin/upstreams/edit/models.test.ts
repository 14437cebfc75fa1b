import { describe, expect, test } from 'vitest'
import type { PickedModel } from './fields.ts'
import { moved, namedModel, offersAfter, shownModels } from './models.ts'

const model = (name: string): PickedModel => ({ code: name, name, label: null, context_length: null })
const names = (models: readonly PickedModel[]) => models.map(({ name }) => name).join(' ')
const [a, b, c] = [model('llama'), model('mistral'), { ...model('qwen'), label: 'Quick one' }]

describe('the models of an account', () => {
  test('that are picked come first, in their order, and words are found in names and labels', () => {
    expect(names(shownModels([c, a], [a, b, c], ''))).toBe('qwen llama mistral')
    expect(names(shownModels([c], [a, b, c], 'QUICK'))).toBe('qwen')
    expect(names(shownModels([], [a, b, c], 'nothing'))).toBe('')
  })
  test('are ticked at the end, and moved one by one', () => {
    expect(names(offersAfter([a, b], c, true))).toBe('llama mistral qwen')
    expect(names(offersAfter([a, b], a, false))).toBe('mistral')
    expect(names(moved([a, b, c], 2, -1))).toBe('llama qwen mistral')
    expect(names(moved([a, b, c], 0, -1))).toBe('llama mistral qwen')
  })
  test('that it does not list are added by their name, once', () => {
    expect(namedModel(' my-deployment ', [a])).toEqual(model('my-deployment'))
    expect([namedModel('llama', [a]), namedModel('', [a]), namedModel('两个', [a])]).toEqual([null, null, null])
  })
})
