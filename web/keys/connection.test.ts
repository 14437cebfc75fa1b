import { describe, expect, test } from 'vitest'
import { aKey } from './builders.testing.ts'
import { snippetFor } from './connection.ts'
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
