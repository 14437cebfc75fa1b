import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, withId } from './portal.testing.tsx'

export const OLD = '11111111-2222-4333-8444-555555555555'

export const stored = {
  'GET /conv': [aRecord(OLD, '路由器和光猫怎么接', '2026-03-02T10:00:00.000Z'), aRecord(ID, '热水器换热泵')],
  [`GET /conv/${ID}`]: withId(
    aHistory(aMessage({ id: 'q', role: 'user' }), aMessage({ id: 'a', role: 'assistant' })),
    ID,
  ),
}
