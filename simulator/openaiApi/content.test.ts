import { describe, expect, test } from 'vitest'
import { painting } from '../answers/pictures.ts'
import { aSimulator, post, textIn } from '../client.testing.ts'
import { readContent, seenIn } from './content.ts'

const dataUrl = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const DOCUMENT =
  '<document-0123456789abcdef name="plan.pdf" pages="1-2 of 9">\n[page 1]\nWe begin on Monday.\n</document-0123456789abcdef>'

describe('a picture', () => {
  test('is seen with its type, its sides and its main colours', () => {
    const content = readContent([image(dataUrl(painting(1, 'dusk'))), { type: 'text', text: 'What is this?' }])!
    expect(content).toMatchObject({ text: 'What is this?', pictures: [{ type: 'image/png', width: 512, height: 512 }] })
    expect(seenIn(content, 'english')).toMatch(/^I see 1 pictures:\n\n1\. image\/png, 512 x 512 pixels, mostly \w+/)
  })
  test('that is none is refused as the request is', () => {
    expect(readContent([image(dataUrl(Buffer.from('no picture')))])).toBeUndefined()
  })
  test('for a model that sees none is refused in the words of the real service', async () => {
    await using simulator = await aSimulator()
    const content = [image(dataUrl(painting(1, 'dawn'))), { type: 'text', text: 'Look' }]
    const response = await post(simulator, { model: 'gpt-3.5-turbo', messages: [{ role: 'user', content }] })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('image_url is only supported by certain models')
  })
  test('among more than twenty is refused', async () => {
    await using simulator = await aSimulator()
    const content = Array.from({ length: 40 }, () => image(dataUrl(painting(1, 'dawn').subarray(0, 64))))
    const response = await post(simulator, { model: 'gpt-4', messages: [{ role: 'user', content }] })
    expect(await response.text()).toContain('Too many images')
  })
  test('of an answer comes as a link, too, which anybody may fetch', async () => {
    await using simulator = await aSimulator({ key: 'sk-secret' })
    const body = { model: 'gpt-4', stream: true, messages: [{ role: 'user', content: '/simulate fault=picture_link' }] }
    const stream = await (await post(simulator, body, { headers: { authorization: 'Bearer sk-secret' } })).text()
    const link = /http:\/\/[^"]+\.png/.exec(stream)?.[0] ?? ''
    expect((await fetch(link)).headers.get('content-type')).toBe('image/png')
  })
})

describe('a document', () => {
  test('is read with its pages and first words, and is no part of the question', () => {
    const content = readContent(`${DOCUMENT}\n\nWhen?`)!
    expect(content).toMatchObject({
      text: 'When?',
      documents: [{ name: 'plan.pdf', pages: '1-2 of 9', beginning: 'We begin on Monday.' }],
    })
    expect(seenIn(content, 'chinese')).toContain('plan.pdf，第 1-2 of 9 页，开头是“We begin on Monday.”')
  })
  test('that goes with a question is what the answer tells', async () => {
    await using simulator = await aSimulator()
    const messages = [{ role: 'user', content: `${DOCUMENT}\n\nWhen?` }]
    const response = await post(simulator, { model: 'gpt-4', stream: true, messages })
    expect(textIn(await response.text())).toBe(
      'I have read 1 documents:\n\n1. plan.pdf, pages 1-2 of 9, which begins “We begin on Monday.”',
    )
  })
})
