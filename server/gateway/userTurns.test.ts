import { describe, expect, test } from 'vitest'
import { userTurns } from './userTurns.ts'

const user = (content: unknown) => ({ role: 'user', content })
const textsOf = (...messages: unknown[]) => userTurns(messages).map(({ text }) => text)
const PICTURE = { type: 'image_url', image_url: { url: 'data:' } }

describe('what a person said in a tool', () => {
  test('is what their messages say, and whether anything was answered since', () => {
    const messages = [{ role: 'system', content: 'Be kind' }, user('One'), { role: 'assistant' }, user('Two')]
    expect(userTurns(messages)).toEqual([
      { text: 'One', isAnswered: true },
      { text: 'Two', isAnswered: false },
    ])
  })
  test.each([
    ['<system-reminder>Be kind</system-reminder>\nWhere?', 'Where?'],
    ['Where? <system-reminder>a</system-reminder><system-reminder>b</system-reminder>', 'Where?'],
    ['Where? <system-reminder>without an end', 'Where? <system-reminder>without an end'],
  ])('is %j without what the tool adds', (text, typed) => {
    expect(textsOf(user(text))).toEqual([typed])
  })
  test('is not what a tool sends in its place', () => {
    const added = ['<environment_context>/home</environment_context>', '# AGENTS.md instructions for /home\n\nBe kind']
    expect(textsOf(...added.map(user), user('Where?'))).toEqual(['Where?'])
  })
  test('says that pictures and files are not kept, but for those of a result', () => {
    expect(textsOf(user([PICTURE]))).toEqual(['[picture, not kept]'])
    expect(textsOf(user([{ type: 'file' }, { type: 'text', text: 'See' }]))).toEqual(['[file, not kept]\n\nSee'])
    expect(textsOf({ role: 'tool', content: '' }, user([PICTURE]))).toEqual([])
  })
  test('is nothing where there are no messages', () => {
    for (const none of [null, 'text', {}, [null, 1, { role: 'user' }]]) expect(userTurns(none)).toEqual([])
  })
  test('is found in time, however often a mark is opened', () => {
    expect(textsOf(user('<system-reminder>'.repeat(100_000)))[0]).toHaveLength(1_700_000)
  })
})
