import { describe, expect, test } from 'vitest'
import type { Call } from '#contract/call.ts'
import type { Envelope } from '#contract/envelope.ts'
import { answeredCalls } from '#testing/calls.ts'
import { boundedValues } from '#testing/fieldBounds.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/** Calls of the administration, whose fields administrators fill in. */
const OF_ADMINISTRATION = /^\/(system|user|logs|auth\/register)\b/
/** They ask the address that they are given, and without one the internet: only what is refused is sent. */
const ASKS_ADDRESS = ['addUpstream', 'testUpstreamDraft']
/** Requests on their way. */
const AT_ONCE = 20

type Sent = { name: string; call: Call; part: 'body' | 'query'; path: string; isWithin: boolean; value: unknown }

function everyField(name: string, call: Call): Sent[] {
  return (['body', 'query'] as const).flatMap(part => {
    const schema = call[part]
    if (schema === null || (call.bodyKind ?? 'json') !== 'json') return []
    return boundedValues(schema).map(({ path, isWithin, body }) => ({ name, call, part, path, isWithin, value: body }))
  })
}

async function send(admin: Person, { call, part, value }: Sent): Promise<Envelope> {
  const path = call.path.replaceAll(/:\w+/g, '999999')
  if (part === 'body') return admin.call(call.method, path, value)
  const entries = Object.entries(value as Record<string, unknown>).map(([key, each]) => [key, String(each)])
  return admin.call(call.method, `${path}?${new URLSearchParams(Object.fromEntries(entries))}`)
}

/** Whether it is refused because of this field, or of the union that the field is in. */
const isRefused = ({ message, detail }: Envelope, { part, path }: Sent): boolean =>
  message === 'errors.requestValidationError' &&
  (detail ?? []).some(({ loc: [where, ...at] }) => {
    const named = at.map(each => `${each}.`).join('')
    return where === part && named !== '' && `${path}.`.startsWith(named)
  })

describe('a field of the administration', () => {
  test('is taken at its bounds and refused beyond them, by its name', async () => {
    const { app, admin } = await startPortal({ environment: { COMMONS_HTTP_REQUESTS_PER_MINUTE: '1000000' } })
    const fields = answeredCalls(app.http.answered)
      .filter(({ call }) => OF_ADMINISTRATION.test(call.path))
      .flatMap(({ name, call }) => everyField(name, call))
      .filter(({ name, isWithin }) => !(isWithin && ASKS_ADDRESS.includes(name)))
      // A blank password is none, and the old one stays.
      .filter(({ value }) => !JSON.stringify(value).includes('"password":""'))
      // Each window and limit once, and somebody who is there.
      .filter(({ isWithin, path }) => !(isWithin && /(^|\.)(windows|limits|owner_id)$/.test(path)))
    expect(fields.length).toBeGreaterThan(150)
    const wrong: string[] = []
    const judge = async (field: Sent) => {
      const answer = await send(admin, field)
      if (isRefused(answer, field) === field.isWithin || answer.message === 'errors.internal')
        wrong.push(
          `${field.name} ${field.part}.${field.path}: ${JSON.stringify(field.value)?.slice(0, 120)} -> ${JSON.stringify(answer).slice(0, 200)}`,
        )
    }
    for (let at = 0; at < fields.length; at += AT_ONCE) await Promise.all(fields.slice(at, at + AT_ONCE).map(judge))
    expect(wrong).toEqual([])
  })
})
