import { describe, expect, test } from 'vitest'
import type { AskAttachment, AskRequest } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { type Frame, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Part = { type: string; text?: string; image_url?: { url: string; detail: string }; file?: { filename: string } }
type Sent = { model: string; messages: { role: string; content: string | Part[] }[] }

const MODEL = 'gpt_4'
const as = (as: AskAttachment['as'], file_id: string, more: Partial<AskAttachment> = {}): AskAttachment => ({
  ...{ as, file_id },
  ...more,
})
const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'

async function portalWith(storage: NewStorage, environment: Record<string, string> = {}) {
  const portal = await startPortal({ storage: await storage(), environment })
  const lin = await portal.person()
  const setting = { openai_api: { total_ask_count: 100, per_model_ask_count: { gpt_4: 100, gpt_3_5: 100 } } }
  await portal.admin.result('PATCH', `/user/${lin.id}/setting`, setting)
  const left = async () => {
    const me = await lin.result<{ setting: { openai_api: { total_ask_count: number } } }>('GET', '/user/me')
    return me.setting.openai_api.total_ask_count
  }
  /** What was sent to the endpoint with questions, without requests for titles. */
  const sent = () =>
    portal.simulator.journal
      .filter(({ path, body }) => path.endsWith('/chat/completions') && !JSON.stringify(body).includes('Write a title'))
      .map(({ body }) => body as Sent)
  return { ...portal, lin, left, sent, files: keepingFiles(portal.app, lin) }
}

/** Asks, in the conversation that there is or in a new one, and gives how it ended and what is stored. */
async function ask(person: Person, text: string, more: Partial<AskRequest> = {}) {
  const [first] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
  const before = first && (await person.result<ConversationHistory>('GET', `/conv/${first.conversation_id}`))
  const there =
    before === undefined
      ? { new_title: 'files' }
      : { new_conversation: false, conversation_id: before._id, parent: before.current_node }
  const chat = await person.chat(question(text, { model: MODEL, ...there, ...more }))
  const end = await chat.until(ended)
  const [conversation] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
  const history =
    conversation && (await person.result<ConversationHistory>('GET', `/conv/${conversation.conversation_id}`))
  const last: Message | undefined = history?.mapping[history.current_node!]
  return { end, history, last }
}

const partsOf = ({ messages }: Sent, at = -1): string[] => {
  const content = messages.at(at)?.content ?? ''
  return typeof content === 'string' ? ['text'] : content.map(({ type }) => type)
}

eachStorage((_name, storage) => {
  describe('a question with attachments', () => {
    test('sends pictures as they are and documents as text with their pages, and keeps what went with it', async () => {
      const { lin, files, sent, left } = await portalWith(storage)
      const [one, two] = [await files.picture({ name: 'one.png' }), await files.picture({ name: 'two.png', seed: 2 })]
      const plan = await files.document({ name: 'plan.pdf', pages: ['We begin.', 'We go on.', 'We end.'] })
      const attachments = [
        as('picture', one, { detail: 'low' }),
        as('picture', two),
        as('text', plan, { pages: '1, 3' }),
      ]
      const { end, last, history } = await ask(lin, 'Compare them', { attachments })

      expect(end).toMatchObject({ type: 'finished', outcome: 'finished' })
      expect(partsOf(sent()[0]!)).toEqual(['image_url', 'image_url', 'text'])
      const [first, , words] = sent()[0]!.messages[0]!.content as Part[]
      expect(first?.image_url).toMatchObject({
        url: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
        detail: 'low',
      })
      expect(words?.text).toMatch(/pages="1, 3">\n\[page 1\]\nWe begin\.\n\n\[page 3\]\nWe end\.\n<\/document-/)
      expect(words?.text?.endsWith('Compare them')).toBe(true)
      expect(last?.content).toMatchObject({
        text: expect.stringMatching(/I see 2 pictures[\s\S]*plan\.pdf, pages 1, 3/),
      })
      const asked = history!.mapping[last!.parent!]!
      expect(asked.content).toMatchObject({ text: expect.stringMatching(/^Compare them\n/) })
      expect(asked.metadata).toMatchObject({
        attachments: [
          { id: one, name: 'one.png', as: 'picture', width: 512, mimeType: 'image/png' },
          { id: two, as: 'picture' },
          { id: plan, name: 'plan.pdf', as: 'text', pages: '1, 3', page_count: 3, tokens: expect.any(Number) },
        ],
      })
      expect(await left()).toBe(99)
    })

    test('asks for as much detail as the portal has set, where the question does not say', async () => {
      const { lin, files, sent } = await portalWith(storage, { COMMONS_FILES_PICTURE_DETAIL: 'low' })
      const picture = await files.picture()
      const attachments = [as('picture', picture), as('picture', picture, { detail: 'high' })]
      await ask(lin, 'Look', { attachments })
      const [one, other] = sent()[0]!.messages[0]!.content as Part[]
      expect([one?.image_url?.detail, other?.image_url?.detail]).toEqual(['low', 'high'])
    })

    test('as a file is one part with its name', async () => {
      const { lin, files, sent } = await portalWith(storage)
      const plan = await files.document({ name: 'plan.pdf', pages: ['We begin.'] })
      await ask(lin, 'Read it', { attachments: [as('file', plan)] })
      expect(partsOf(sent()[0]!)).toEqual(['file', 'text'])
      expect((sent()[0]!.messages[0]!.content as Part[])[0]?.file).toMatchObject({ filename: 'plan.pdf' })
    })

    test('is sent with its attachments again on later turns', async () => {
      const { lin, files, sent } = await portalWith(storage)
      await ask(lin, 'Look', { attachments: [as('picture', await files.picture())] })
      const { last } = await ask(lin, 'And now?')
      expect(partsOf(sent()[1]!, 0)).toEqual(['image_url', 'text'])
      expect(last?.metadata).not.toHaveProperty('left_out_pictures')
    })

    test('that is edited has those that are named then, and one that is asked again has its own', async () => {
      const { lin, files, sent } = await portalWith(storage)
      const [one, two] = [await files.picture(), await files.picture({ seed: 2 })]
      const { last, history } = await ask(lin, 'Look', { attachments: [as('picture', one), as('picture', two)] })
      const first = { new_conversation: false, conversation_id: history!._id, parent: null }
      const variant_of = last!.parent!
      await ask(lin, 'Look closer', { ...first, variant_of, attachments: [as('picture', two)] })
      expect(partsOf(sent()[1]!)).toEqual(['image_url', 'text'])
      await ask(lin, 'Without', { ...first, variant_of })
      expect(partsOf(sent()[2]!)).toEqual(['text'])
      await ask(lin, ':continue', { ...first, parent: variant_of })
      expect(partsOf(sent()[3]!)).toEqual(['image_url', 'image_url', 'text'])
    })

    test('goes on without a file that is gone, and the answer says how many are', async () => {
      const { lin, files, sent } = await portalWith(storage)
      const [one, two] = [await files.picture(), await files.picture({ seed: 2 })]
      await ask(lin, 'Look', { attachments: [as('picture', one), as('picture', two)] })
      await lin.result('DELETE', `/files/${one}`)
      const { last, end } = await ask(lin, 'And now?')
      expect(end.type).toBe('finished')
      expect(partsOf(sent()[1]!, 0)).toEqual(['image_url', 'text'])
      expect(last?.metadata).toMatchObject({ gone_files: 1 })
      const again = await ask(lin, 'Once more', { attachments: [as('picture', one)] })
      expect(again.end).toMatchObject({ type: 'error', tip: 'errors.attachmentGone' })
    })

    test('of somebody else is not found, and nothing is asked', async () => {
      const { lin, person, files, sent } = await portalWith(storage)
      const mei = await person()
      const { end } = await ask(mei, 'Look', { model: 'gpt_3_5', attachments: [as('picture', await files.picture())] })
      expect(end).toMatchObject({ type: 'error', tip: 'errors.resourceNotFound' })
      expect([sent().length, lin.id === mei.id]).toEqual([0, false])
    })
  })

  describe('a model that does not look at pictures', () => {
    test('is refused in words once, never charged, and known from then on before anything is asked', async () => {
      const { lin, admin, files, sent, left } = await portalWith(storage)
      const attachments = [as('picture', await files.picture())]
      const refused = await ask(lin, 'Look', { model: 'gpt_3_5', attachments })
      expect(refused.end).toMatchObject({ type: 'error', tip: 'errors.openai.picturesNotTaken', charged: false })
      expect(await left()).toBe(100)

      const again = await ask(lin, 'Look again', { model: 'gpt_3_5', attachments })
      expect(again.end).toMatchObject({ type: 'error', tip: 'errors.openai.picturesNotTaken' })
      expect(sent()).toHaveLength(1)
      const [upstream] = await admin.result<{ health: { state: string } }[]>('GET', '/system/upstreams')
      expect(upstream?.health).toMatchObject({ state: 'normal' })
      expect((await ask(lin, 'Words')).end.type).toBe('finished')
    })

    test('answers without the pictures of earlier questions, and says how many', async () => {
      const { lin, files, sent } = await portalWith(storage)
      await ask(lin, 'Look', { attachments: [as('picture', await files.picture())] })
      const plan = await files.document({ name: 'plan.pdf', pages: ['We begin.'] })
      const { last, end } = await ask(lin, 'Now read', { model: 'gpt_3_5', attachments: [as('text', plan)] })
      expect(end.type).toBe('finished')
      expect(last?.metadata).toMatchObject({ left_out_pictures: 1 })
      // Refused with the picture, and sent once more without it; from then on without it at once.
      expect(sent().map(each => partsOf(each, 0))).toEqual([['image_url', 'text'], ['image_url', 'text'], ['text']])
      await ask(lin, 'Go on', { model: 'gpt_3_5' })
      expect(sent()).toHaveLength(4)
    })
  })

  test('what went with a question is found by its name and by what it says, by its own person alone', async () => {
    const { lin, person, files } = await portalWith(storage)
    const plan = await files.document({
      name: 'Fahrplan.pdf',
      pages: ['The ferry leaves at noon.', 'Bring 雨伞 along.'],
    })
    await ask(lin, 'Read it', { attachments: [as('text', plan)] })
    type Results = { results: { role: string; excerpt: string }[] }
    /** Questions alone: the answer tells what it has read. */
    const found = async (who: Person, words: string) => {
      const { results } = await who.result<Results>('GET', `/conv/search?${new URLSearchParams({ words })}`)
      return results.filter(({ role }) => role === 'user')
    }
    expect(await found(lin, 'fahrplan')).toHaveLength(1)
    expect(await found(lin, 'ferry noon')).toEqual([
      expect.objectContaining({ excerpt: expect.stringContaining('ferry') }),
    ])
    expect(await found(lin, '雨伞')).toHaveLength(1)
    expect(await found(await person(), 'ferry')).toEqual([])
    await lin.result('DELETE', `/files/${plan}`)
    expect(await found(lin, 'ferry noon')).toEqual([])
    expect(await found(lin, 'fahrplan')).toHaveLength(1)
  })

  describe('a picture in an answer', () => {
    const link = /!\[\w*\]\((\/api\/files\/[0-9a-f-]{36}\/content)\)/

    test.each(['picture', 'picture_part', 'picture_text', 'picture_link'] as const)(
      'is a file of whoever asked, shown from there and sent to no model that sees none (%s)',
      async form => {
        const { lin, person, simulator, sent, url } = await portalWith(storage)
        simulator.nextFault({ kind: 'form', form })
        const { last, end } = await ask(lin, 'Paint')
        expect(end.type).toBe('finished')
        const text = textOf(last!)
        expect(text).toMatch(link)
        expect(text).not.toMatch(/data:image|http/)
        const [, path = ''] = link.exec(text) ?? []
        const typeFor = async ({ cookie }: Person) =>
          (await fetch(url + path, { headers: { cookie } })).headers.get('content-type')
        expect(await typeFor(lin)).toBe('image/png')
        expect(await typeFor(await person())).toContain('json')
        const { files } = await lin.result<{ files: { name: string }[] }>('GET', '/files')
        expect(files).toEqual([expect.objectContaining({ name: 'picture.png' })])
        await ask(lin, 'And now?')
        expect(JSON.stringify(sent().at(-1))).not.toContain('/api/files')
      },
    )
  })

  test('a picture in an answer goes with the next question to a model that sees, and may be left out', async () => {
    const { lin, files, simulator, sent } = await portalWith(storage)
    await ask(lin, 'Look', { attachments: [as('picture', await files.picture())] })
    simulator.nextFault({ kind: 'form', form: 'picture' })
    await ask(lin, 'Paint')
    const { last } = await ask(lin, 'Make it brighter')
    expect(partsOf(sent().at(-1)!)).toEqual(['image_url', 'text'])
    expect(
      JSON.stringify(
        sent()
          .at(-1)!
          .messages.filter(({ role }) => role === 'assistant'),
      ),
    ).not.toContain('image_url')
    expect(last?.metadata).not.toHaveProperty('left_out_pictures')
    simulator.nextFault({ kind: 'status', status: 400, code: 'no_pictures' })
    const refused = await ask(lin, 'And darker')
    expect(refused.end).toMatchObject({ type: 'finished' })
    expect(refused.last?.metadata).toMatchObject({ left_out_pictures: 2 })
  })

  test('old clients read the names of files with links in the question, and ours reads the question as it is', async () => {
    const { lin, files } = await portalWith(storage)
    const plan = await files.document({ name: 'plan [1].pdf', pages: ['We begin.'] })
    const { history, last } = await ask(lin, 'Read it', { attachments: [as('text', plan)] })
    const link = `Read it\n\n- [plan 1 .pdf](/api/files/${plan}/content)`
    expect(history!.mapping[last!.parent!]?.content).toEqual({ content_type: 'text', text: link })
    const ours = await lin.result<ConversationHistory>('GET', `/conv/${history!._id}?thoughts=true`)
    expect(ours.mapping[last!.parent!]?.content).toEqual({ content_type: 'text', text: 'Read it' })
  })

  test('forty pictures that an endpoint refuses are refused in words, and nothing is charged', async () => {
    const { lin, files, left } = await portalWith(storage, { COMMONS_FILES_MAX_ATTACHMENTS: '50' })
    const picture = await files.picture()
    const attachments = Array.from({ length: 40 }, () => as('picture', picture))
    const { end } = await ask(lin, 'Look', { attachments })
    expect(end).toMatchObject({
      type: 'error',
      tip: 'errors.openai.tooManyPictures',
      values: { most: 20 },
      charged: false,
    })
    expect(await left()).toBe(100)
  })

  test('a document that is too long by itself is refused with how much and which', async () => {
    const { lin, files, simulator, left } = await portalWith(storage)
    const long = await files.document({ name: 'long.pdf', pages: ['word '.repeat(20_000)] })
    simulator.nextFault({ kind: 'status', status: 400, code: 'context_length_exceeded' }, 3)
    const { end } = await ask(lin, 'Read', { attachments: [as('text', long)] })
    expect(end).toMatchObject({
      ...{ type: 'error', tip: 'errors.openai.contextTooLong' },
      values: { heaviest: 'long.pdf', heaviest_tokens: expect.any(Number), over_tokens: expect.any(Number) },
    })
    expect(await left()).toBe(100)
  })
})
