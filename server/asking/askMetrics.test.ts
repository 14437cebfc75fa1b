import { describe, expect, test } from 'vitest'
import { bringsText, type Frame, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const TOKEN = 'metrics-token'
const FIRST_BYTE = 'commons_upstream_first_byte_seconds'
const ANSWER = 'commons_upstream_answer_seconds'
const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'

async function aPortal() {
  const portal = await startPortal({ environment: { COMMONS_HTTP_METRICS_TOKEN: TOKEN } })
  const person = await portal.person()
  return {
    ask: (text: string) => person.chat(question(text, { new_title: 'x' })),
    /** How many were measured, and the seconds of all of them. */
    async measured(name: string) {
      const text = await (
        await fetch(`${portal.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
      ).text()
      const value = (of: string) =>
        Number(
          text
            .split('\n')
            .find(line => line.startsWith(`${name}_${of}{source="openai_api"} `))
            ?.split(' ')
            .at(-1) ?? 0,
        )
      return { count: value('count'), sum: value('sum') }
    },
  }
}

describe('the time that an upstream takes', () => {
  test('is measured to the first byte and to the end of an answer', async () => {
    const { ask, measured } = await aPortal()
    const chat = await ask('/simulate fault=slow_first_byte delay=150')
    await chat.until(ended)
    const [first, whole] = [await measured(FIRST_BYTE), await measured(ANSWER)]
    expect([first.count, whole.count]).toEqual([1, 1])
    expect(first.sum).toBeGreaterThan(0.14)
    expect(whole.sum).toBeGreaterThanOrEqual(first.sum)
  })
  test('is none to the end of an answer that was stopped', async () => {
    const { ask, measured } = await aPortal()
    const chat = await ask('/simulate fault=stall after=3')
    await chat.until(bringsText)
    chat.send({ stop: true })
    await chat.until(ended)
    expect([(await measured(FIRST_BYTE)).count, (await measured(ANSWER)).count]).toEqual([1, 0])
  })
  test('is none where it refuses', async () => {
    const { ask, measured } = await aPortal()
    await (await ask('/simulate fault=500')).until(ended)
    expect([(await measured(FIRST_BYTE)).count, (await measured(ANSWER)).count]).toEqual([0, 0])
  })
})
