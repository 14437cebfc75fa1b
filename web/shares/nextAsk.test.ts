import { describe, expect, test } from 'vitest'
import { aMyShare, aShare, aWindow } from './builders.testing.ts'
import { ownAt, refusingWindow } from './nextAsk.ts'

const MOMENT = '2026-11-20T14:20:00Z'
const usedUp = (fields: Parameters<typeof aMyShare>[0] = {}) => aMyShare({ used: 8, next_own_at: MOMENT, ...fields })

describe('the window that refuses an ask', () => {
  test('is the first that leaves nothing, of an account of shares that has the model', () => {
    const full = aWindow({ mine: usedUp() })
    const ofOther = aWindow({ mine: usedUp(), models: ['gpt_4'] })
    const found = (share: Parameters<typeof aShare>[0]) =>
      refusingWindow([aShare(share)], 'openai_api', 'gpt_3_5')?.window
    expect(found({ windows: [aWindow(), ofOther, full] })).toBe(full)
    expect(found({ windows: [aWindow(), ofOther] })).toBeUndefined()
    expect(found({ windows: [full], sharing: 'first_come' })).toBeUndefined()
    expect(found({ windows: [full], source: 'openai_web' })).toBeUndefined()
  })
})

describe('what comes back of one’s own', () => {
  test('is said of the moment at which it does', () => {
    const window = aWindow({ mine: usedUp({ next_own: 2 }) })
    expect(ownAt(window, '2026-11-20T14:20:20Z')).toBe(2)
  })
  test('is nothing where it opens earlier, because less is kept for others', () => {
    expect(ownAt(aWindow({ mine: usedUp({ next_own: 2 }) }), '2026-11-20T13:00:00Z')).toBeNull()
  })
  test('is nothing where none comes', () => {
    expect(ownAt(aWindow({ mine: aMyShare({ used: 8 }) }), MOMENT)).toBeNull()
    expect(ownAt(aWindow({ mine: null }), MOMENT)).toBeNull()
  })
})
