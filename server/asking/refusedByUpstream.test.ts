import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Message } from '#contract/messages.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { WebFault } from '#simulator/openaiWeb/state/faults.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const
const ENVIRONMENT = { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_ENABLED_MODELS: '["gpt_3_5","gpt_4"]' }

async function aWebPortal() {
  const portal = await startPortal({
    environment: { ...ENVIRONMENT, OPENAI_BASE_URL: '', OPENAI_API_KEY: '' },
  })
  const { admin, simulator } = portal
  const lin = await portal.person()
  const ended = async () => {
    const frames = await lin.ask('hello', { ...WEB, new_title: 'hello' })
    return frames.find(({ type }) => type === 'finished' || type === 'error')
  }
  const healthOf = async () =>
    (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(({ source }) => source === 'openai_web')
      ?.health
  const refuse = (fault: WebFault, times = 1) => simulator.web.nextFault('ask', fault, times)
  return { ...portal, lin, ended, healthOf, refuse }
}

const refusing = (status: number, detail: unknown): WebFault => ({
  kind: 'status',
  status,
  body: JSON.stringify({ detail }),
})

describe('a refusal of the web account', () => {
  test('is told to the one who asked, with the moment, and to administrators as what it is', async () => {
    const { ended, healthOf, refuse } = await aWebPortal()
    refuse(refusing(429, { code: 'rate_limited', clears_in: 11_461 }))
    const failed = await ended()
    expect(failed).toMatchObject({ type: 'error', tip: 'errors.openai.429', values: { retry_after_seconds: 11_461 } })
    const cooling = await healthOf()
    expect(cooling).toMatchObject({ state: 'cooling', message: 'errors.openai.429' })
    const { retry_at } = z.object({ retry_at: z.string() }).parse(failed?.['values'])
    expect(Math.abs(Date.parse(retry_at) - Date.parse(cooling?.until ?? ''))).toBeLessThan(60_000)
    // Where there is no other account it is tried all the same, and answers.
    expect(await ended()).toMatchObject({ type: 'finished' })
    for (const [fault, key] of [
      [refusing(402, { code: 'deactivated_workspace' }), 'openai.accountDeactivated'],
      [refusing(403, 'Unusual activity has been detected from your device.'), 'openai.unusualActivity'],
      [{ kind: 'page', status: 200 }, 'openai.webPage'],
    ] as const) {
      refuse(fault)
      expect(await ended()).toMatchObject({ type: 'error', tip: `errors.${key}`, charged: false })
      expect(await healthOf()).toMatchObject({ state: 'attention', message: `errors.${key}` })
    }
  })

  test('says nothing of the account where it concerns one question alone', async () => {
    const { ended, healthOf, refuse } = await aWebPortal()
    for (const fault of [
      refusing(413, { code: 'message_length_exceeds_limit' }),
      refusing(400, { code: 'unsupported_parameter', message: 'Unsupported parameter' }),
      refusing(403, 'This content may violate our content policy'),
      refusing(404, { code: 'model_not_found' }),
    ]) {
      refuse(fault)
      expect(await ended()).toMatchObject({ type: 'error', charged: false })
      expect(await healthOf()).toMatchObject({ state: 'normal' })
    }
  })

  test('that it answers one question at a time is asked again by itself', async () => {
    const { ended, healthOf, refuse, simulator, lin } = await aWebPortal()
    refuse(
      refusing(429, 'Only one message at a time. Please allow any other responses to complete, or wait one minute.'),
    )
    expect(await ended()).toMatchObject({ type: 'finished', outcome: 'finished' })
    expect(simulator.journal.filter(({ path }) => path === '/web/conversation')).toHaveLength(2)
    expect(await healthOf()).toMatchObject({ state: 'normal' })
    const history = await lin.result<{ mapping: Record<string, Message> }[]>('GET', '/conv')
    expect(history).toHaveLength(1)
    refuse(refusing(429, 'Only one message at a time.'), 9)
    const chat = await lin.chat(question('stopped', WEB))
    await chat.until(({ type }) => type === 'accepted')
    await simulator.waitFor(({ path, id }) => path === '/web/conversation' && id > 2)
    chat.send({ stop: true })
    expect(await chat.until(({ type }) => type === 'finished')).toMatchObject({ outcome: 'stopped' })
  })
})
