import { describe, expect, test } from 'vitest'
import type { OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { aTool } from '#testing/relay.ts'
import { openPassing } from './passing.ts'

/** An answer that notes when its reader wants more. */
function anAnswer() {
  const wanted: ('pause' | 'resume' | 'destroy')[] = []
  const body = {
    pause: () => wanted.push('pause'),
    resume: () => wanted.push('resume'),
    destroy: () => wanted.push('destroy'),
  }
  const headers: Record<string, string> = { 'content-type': 'text/event-stream', 'x-request-id': 'theirs' }
  const answer = { status: 200, header: (name: string) => headers[name], body } as unknown as OutboundAnswer // as far as it is used
  return { answer, wanted }
}

const bytes = (text: string) => Buffer.from(text)
const { signal } = new AbortController()

describe('passing an answer on', () => {
  test('begins with the first bytes, and says nothing of the upstream itself', () => {
    const { answer } = anAnswer()
    const { to, got } = aTool()
    const passing = openPassing(to, answer)
    passing.pass([])
    expect([got.head, passing.hasBegun()]).toEqual([null, false])
    passing.pass([bytes('a'), bytes('b')])
    expect(got).toMatchObject({ head: { status: 200, content_type: 'text/event-stream', headers: {} }, text: 'ab' })
  })

  test('holds the upstream while the tool is busy, and keeps the order of what comes all the same', async () => {
    const { answer, wanted } = anAnswer()
    const free = Promise.withResolvers<void>()
    const { to, got } = aTool(text => (text === 'a' ? free.promise : null))
    const passing = openPassing(to, answer)
    for (const text of ['a', 'b', 'c']) passing.pass([bytes(text)])
    expect([got.text, wanted]).toEqual(['a', ['pause']])
    free.resolve()
    await passing.taken(signal)
    expect([got.text, got.writes, wanted]).toEqual(['abc', 2, ['pause', 'resume']])
  })

  test('does not hold it where the tool takes it at once', () => {
    const { answer, wanted } = anAnswer()
    const passing = openPassing(aTool().to, answer)
    passing.pass([bytes('a')])
    passing.pass([bytes('b')])
    expect(wanted).toEqual([])
  })

  test('ends the upstream when the tool fails, and says why', async () => {
    const { answer, wanted } = anAnswer()
    const passing = openPassing(aTool(() => Promise.reject(new Error('gone'))).to, answer)
    passing.pass([bytes('a')])
    await expect(passing.taken(signal)).rejects.toThrow('gone')
    expect(wanted).toEqual(['pause', 'destroy'])
  })

  test('waits for no tool when it is stopped', async () => {
    const { answer } = anAnswer()
    const stop = new AbortController()
    const passing = openPassing(aTool(() => new Promise(() => undefined)).to, answer)
    passing.pass([bytes('a')])
    const taken = passing.taken(stop.signal)
    stop.abort()
    await taken
  })
})
