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
