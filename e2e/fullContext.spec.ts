import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test as base } from './journey.ts'
import { answers, ask, TEXTS, untilAnswered } from './steps.ts'

const MAX_CHARACTERS = 3_000
const REFUSAL = {
  error: {
    message:
      "This model's maximum context length is 1000 tokens. However, your messages resulted in 1100 tokens. Please reduce the length of the messages.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}
const ANSWER = { choices: [{ delta: { content: 'short' }, finish_reason: 'stop' }] }

/** An endpoint that reads little, and says so when it is asked too much. */
const test = base.extend({
  portalOptions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, provide) => {
      const server = createServer(async (request, response) => {
        const { messages = [] } = JSON.parse((await text(request)) || '{}') as { messages?: { content: string }[] }
        const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
        if (characters > MAX_CHARACTERS)
          response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL))
        else response.end(`data: ${JSON.stringify(ANSWER)}\n\ndata: [DONE]\n\n`)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo // a listening TCP server has a port
      await provide({ environment: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1/` } })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
})

for (const language of ['zh-CN', 'en-US'] as const) {
  test(`a long chat goes on, and its answers say what they do not know, also after a reload (${language})`, async ({
    chatPage,
    person,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()
    for (let at = 1; at <= 5; at += 1) {
      await ask(chatPage, `${at} ${'word '.repeat(160)}`)
      await untilAnswered(chatPage, at)
    }
    const note = chatPage.getByTestId('left-out')
    const words = TEXTS[language]['message.leftOut'].split('{')[0]!
    await expect(note.last()).toContainText(words)
    await expect(answers(chatPage).last()).toContainText('short')
    const shown = await note.allInnerTexts()
    await chatPage.reload()
    await expect(answers(chatPage)).toHaveCount(5)
    await expect(note).toHaveText(shown)
  })

  test(`a question that is too long by itself is refused with how much it is too long (${language})`, async ({
    chatPage,
    person,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()
    await ask(chatPage, 'word '.repeat(800))
    const [before = ''] = TEXTS[language]['errors.openai.contextTooLong.over'].split('{over_tokens')
    await expect(chatPage.getByText(before)).toBeVisible()
  })
}
