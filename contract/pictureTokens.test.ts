import { describe, expect, test } from 'vitest'
import { pictureTokens } from './pictureTokens.ts'

const tokens = (model: string, width: number | null, height: number | null, detail: 'auto' | 'low' | 'high' = 'auto') =>
  pictureTokens({ width, height, detail }, model)

describe('a picture takes as many tokens as its maker says', () => {
  test.each([
    // The examples of OpenAI's page
    ['gpt-4o', 1024, 1024, 765],
    ['gpt-4o', 2048, 4096, 1105],
    ['openai/gpt-4o-2024-08-06', 512, 512, 255],
    ['gpt-4.1-mini', 1024, 1024, 1659],
    ['gpt-5-nano', 4000, 4000, 3779],
    ['o3', 1024, 1024, 675],
    ['gpt_4', 1024, 1024, 765],
    // Anthropic's
    ['claude-sonnet-4-5', 200, 200, 54],
    ['anthropic/claude-opus-4', 1000, 1000, 1334],
    ['claude-haiku-4-5', 4000, 4000, 1600],
    // Google's
    ['gemini-2.5-flash', 300, 384, 258],
    ['gemini-2.0-flash', 960, 540, 258 * 6],
    ['gemini-3-pro-preview', 4000, 3000, 1120],
    ['qwen2.5-vl-72b-instruct', 280, 280, 102],
    ['Qwen/Qwen3-VL-8B', 320, 320, 102],
    ['qwen-vl-max', 8000, 8000, 1282],
    ['pixtral-12b-2409', 512, 512, 1056],
    ['grok-4', 448, 448, 512],
  ])('%s, %i x %i', (model, width, height, expected) => {
    expect(tokens(model, width, height)).toBe(expected)
  })

  test('and fewer in low detail, where that is known', () => {
    expect(tokens('gpt-4o', 2048, 2048, 'low')).toBe(85)
    expect(tokens('gpt-4.1-nano', 2048, 2048, 'low')).toBe(630)
    expect(tokens('claude-opus-4', 1000, 1000, 'low')).toBe(1334)
  })
})

test('of a model nobody knows by its size, and without a size as many as a large one', () => {
  expect(tokens('some-model', 750, 100)).toBe(100)
  expect(tokens('some-model', null, null)).toBe(1600)
  expect(tokens('some-model', 0, -5)).toBe(1600)
})

describe('the estimate of a picture', () => {
  const MODELS = [
    ...['gpt-4o', 'gpt-4o-mini', 'gpt-4.1-mini', 'gpt-5', 'gpt-5-mini', 'o1', 'o3', 'o4-mini', 'gpt-4-turbo'],
    ...['claude-opus-4', 'gemini-2.5-pro', 'gemini-3-flash', 'gemma-3-27b', 'qwen2.5-vl-7b', 'qwen3-vl-8b', 'glm-4v'],
    ...['pixtral-12b', 'pixtral-large', 'mistral-medium-3', 'grok-4', 'nobody-knows'],
  ]
  test.each(MODELS)('of %s is a sound number for a picture of any form', model => {
    for (const [width, height] of [
      [1, 1],
      [1, 8_000],
      [8_000, 1],
      [8_000, 6_000],
      [640, 480],
    ] as const)
      for (const detail of ['auto', 'low', 'high'] as const) {
        const count = tokens(model, width, height, detail)
        expect(Number.isSafeInteger(count) && count >= 1, `${width} x ${height} ${detail}: ${count}`).toBe(true)
        // More than the context of any model is no estimate.
        expect(count).toBeLessThan(100_000)
      }
  })
  test.each(MODELS.filter(model => !model.startsWith('gemini-2')))('of %s is not less for a larger one', model => {
    const counts = [64, 256, 512, 1024, 2048].map(side => tokens(model, side, side))
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  })
  test('is never more in low detail than in high', () => {
    for (const model of MODELS)
      for (const side of [100, 700, 2000])
        expect(tokens(model, side, side, 'low'), model).toBeLessThanOrEqual(tokens(model, side, side, 'high'))
  })
  test('follows the name by which an endpoint has the model', () => {
    for (const name of ['openai/gpt-4o', 'GPT-4o', 'azure/my-gpt-4o-2024-11-20', 'gpt-4o:extended'])
      expect(tokens(name, 1024, 1024), name).toBe(765)
    // Each is the model of its longer name, and not of what is a part of it.
    expect(tokens('gpt-4o-mini', 1024, 1024)).not.toBe(tokens('gpt-4o', 1024, 1024))
    expect(tokens('gpt-4.1-nano', 1024, 1024)).not.toBe(tokens('gpt-4.1-mini', 1024, 1024))
    expect(tokens('solo3', 1024, 1024)).toBe(tokens('nobody-knows', 1024, 1024))
  })
})
