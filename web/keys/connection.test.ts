import { describe, expect, test } from 'vitest'
import { aKey } from './builders.testing.ts'
import { afterReading, type FirstRequest, MAX_WAIT_MS, snippetFor } from './connection.ts'
import { curl } from './tools/curl.ts'

const values = { address: 'https://chat.example.org', model: 'gpt-4', key: aKey({ ending: 'x7Qk' }) }

describe('a snippet', () => {
  test('shows the end of a key that the page knows, and copies all of it', () => {
    const { shown, copied } = snippetFor(curl, { ...values, secret: 'cmn_whole' })
    expect(shown).toContain('Bearer cmn_…x7Qk')
    expect(shown).not.toContain('whole')
    expect(copied).toContain('Bearer cmn_whole')
  })
  test('names a variable where the key was made elsewhere', () => {
    const { shown, copied, isWhole } = snippetFor(curl, { ...values, secret: null })
    expect([shown === copied, isWhole]).toEqual([true, false])
    expect(shown).toContain('Bearer $COMMONS_KEY')
  })
})

describe('the wait for a first request', () => {
  const waiting: FirstRequest = { phase: 'waiting', since: 0, usedBefore: '2026-11-01T00:00:00.000Z' }
  const at = (last_used_time: string | null) => aKey({ last_used_time, last_tool: 'Codex' })

  test('goes on until the key is used, and names what used it', () => {
    expect(afterReading(waiting, at('2026-11-01T00:00:00.000Z'), 5)).toBe(waiting)
    const time = '2026-11-30T00:00:00.000Z'
    expect(afterReading(waiting, at(time), 5)).toEqual({ phase: 'received', tool: 'Codex', time })
  })
  test('is over after ten minutes', () => {
    expect(afterReading(waiting, at(null), MAX_WAIT_MS)).toEqual({ phase: 'over' })
  })
  test('is not what it was before it began', () => {
    expect(afterReading({ phase: 'idle' }, at('2026-11-30T00:00:00.000Z'), 5)).toEqual({ phase: 'idle' })
  })
})
