import { describe, expect, test } from 'vitest'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { withAnsweredPictures } from './answeredPictures.ts'
import { attachedTo, fitting, leftOut } from './fitting.ts'

const MODEL = 'gpt-4o'
const idOf = (number: number) => `a1c70000-0000-4000-8000-${String(number).padStart(12, '0')}`
const painted = (...numbers: number[]): Message =>
  aMessage({
    role: 'assistant',
    content: words(numbers.map(number => `Here:\n\n![](/api/files/${idOf(number)}/content)`).join('\n')),
  })
const asked = (...attachments: KeptAttachment[]): Message =>
  aMessage({ role: 'user', content: words('and'), metadata: { source: 'openai_api', attachments } })
const picture = (id: string): KeptAttachment => ({ id, name: 'a.png', as: 'picture', width: 1024, height: 1024 })
const load = async (ids: readonly string[]) => ids.map(picture)
const idsIn = (thread: readonly Message[]) => thread.map(message => attachedTo(message).map(({ id }) => id))

describe('pictures of answers', () => {
  test('go with the question that follows them, before what its person attached', async () => {
    const thread = [asked(), painted(1, 2), asked(picture('own')), painted(3), asked()]
    expect(idsIn(await withAnsweredPictures(thread, true, load))).toEqual([
      [],
      [],
      [idOf(1), idOf(2), 'own'],
      [],
      [idOf(3)],
    ])
  })
  test('go with a question that has no more than its words', async () => {
    const question = aMessage({ role: 'user', content: words('and'), metadata: null })
    expect(idsIn(await withAnsweredPictures([painted(1), question], true, load))).toEqual([[], [idOf(1)]])
  })
  test('are not sent where the model sees none, nor where nobody knows and it has not been shown any', async () => {
    const thread = [asked(), painted(1), asked()]
    expect(await withAnsweredPictures(thread, false, load)).toBe(thread)
    expect(await withAnsweredPictures(thread, null, load)).toBe(thread)
    const shown = [asked(picture('own')), painted(1), asked()]
    expect(idsIn(await withAnsweredPictures(shown, null, load))).toEqual([['own'], [], [idOf(1)]])
  })
  test('are the latest eight, without those that are gone', async () => {
    const thread = [painted(1, 2, 3, 4, 5, 6), asked(), painted(7, 8, 9, 10), asked()]
    const here = async (ids: readonly string[]) => ids.filter(id => id !== idOf(4)).map(picture)
    expect(idsIn(await withAnsweredPictures(thread, true, here))).toEqual([
      [],
      [idOf(3), idOf(5), idOf(6)],
      [],
      [idOf(7), idOf(8), idOf(9), idOf(10)],
    ])
  })
  test('are left out where they have no room, also beside the last question, which keeps its own', async () => {
    const thread = await withAnsweredPictures([painted(1), asked(picture('own'))], true, load)
    const sent = fitting(thread, 1_300, MODEL)
    expect(idsIn(sent)).toEqual([[], ['own']])
    expect(leftOut(thread, sent)).toEqual({ messages: 0, pictures: 1, files: 0 })
  })
})
