import { describe, expect, test } from 'vitest'
import { MAX_PROMPTS } from '#contract/prompts.ts'
import { aPrompt } from './builders.testing.ts'
import { missingPrompts, promptFile, readPromptFile } from './promptFile.ts'

const LETTER = { name: '写一封客气的信', short_name: '信', text: '给[收信人]写一封信' }
const fileOf = (value: unknown) => new Blob([typeof value === 'string' ? value : JSON.stringify(value)])
const ofPrompts = (prompts: unknown) => fileOf({ format: 'chat-commons-prompts', version: 1, prompts })

describe('a file of prompts', () => {
  test('is read as it was written', async () => {
    expect(await readPromptFile(promptFile([aPrompt(LETTER)]))).toEqual([LETTER])
  })
  test('that another program wrote is refused', async () => {
    for (const other of ['', '{', '[]', 'null', '{"format":"chat-commons-prompts"}'])
      expect(await readPromptFile(fileOf(other))).toEqual({ why: 'notPrompts' })
  })
  test('names the prompt that is wrong', async () => {
    for (const wrong of [null, {}, { ...LETTER, short_name: 'a b' }, { ...LETTER, text: '' }, { ...LETTER, name: 7 }])
      expect(await readPromptFile(ofPrompts([LETTER, wrong]))).toEqual({ why: 'wrongPrompt', at: 2 })
  })
  test('has bounds', async () => {
    expect(await readPromptFile(ofPrompts(Array.from({ length: MAX_PROMPTS + 1 }, () => LETTER)))).toEqual({
      why: 'tooMany',
    })
    expect(await readPromptFile(new Blob([new Uint8Array(17 * 1024 * 1024)]))).toEqual({ why: 'tooLarge' })
  })
  test('shares nothing and switches nothing off', async () => {
    expect(await readPromptFile(ofPrompts([{ ...LETTER, is_shared: true, is_active: false }]))).toEqual([LETTER])
  })
})

test('what a person has already is not put in again, nor what a file has twice', () => {
  const other = { ...LETTER, name: '另一封' }
  expect(missingPrompts([LETTER, other, other], [aPrompt(LETTER)])).toEqual([other])
})
