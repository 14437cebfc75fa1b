import { UNLIMITED } from '#contract/limits.ts'
import type { UserKey } from '#contract/keys.ts'
import { fromMillionths } from '#contract/prices.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { type LimitUse, readLimitUse } from '#server/limits/limitUse.ts'
import { type PolicyLimit, sentLimit, withOrigin } from '#server/policy/limitList.ts'
import type { KeyRow } from './store.ts'

type Moment = { now: number; time_zone: string }

/** Keys as their owner sees them, with what was used by each. */
export const shownKeys = (database: Database, rows: readonly KeyRow[], moment: Moment): Promise<UserKey[]> =>
  Promise.all(rows.map(row => shownKey(database, row, moment)))

/** Of a key without such a limit, too: how often it asked this week. */
const OF_WEEK: PolicyLimit = {
  source: 'openai_api',
  unit: 'asks',
  amount: UNLIMITED,
  window: { kind: 'week' },
  models: null,
  origin: { from: 'own' },
  until: null,
}

async function shownKey(database: Database, row: KeyRow, { now, time_zone }: Moment): Promise<UserKey> {
  const { id, user_id, models, may_borrow, quiet_only, keeps_conversations } = row
  const limits = row.limits.map(limit => withOrigin(limit, { from: 'own' }))
  const [week, ...uses] = await readLimitUse(database, {
    ...{ user_id, key_id: id, source: 'openai_api', limits: [OF_WEEK, ...limits], now, time_zone },
  })
  return {
    ...storedFields(row),
    ...{ limits: row.limits.map(sentLimit), models, may_borrow, quiet_only, keeps_conversations },
    used: { limits: uses.map(usedOf), asks_of_week: week?.used ?? 0 },
  }
}

function usedOf({ limit: { unit, amount }, used, window }: LimitUse): UserKey['used']['limits'][number] {
  const shown = (value: number): number => (unit === 'money' ? fromMillionths(value) : value)
  return { used: shown(used), allowed: shown(amount), resets_at: timeText(window.ends) }
}

type Stored = Pick<KeyRow, 'id' | 'name' | 'ending' | 'create_time' | 'expire_time' | 'last_used_time' | 'last_tool'>

/** What owners and superusers see alike. */
export const storedFields = ({ id, name, ending, create_time, expire_time, last_used_time, last_tool }: Stored) => ({
  id,
  name,
  ending,
  create_time: new Date(create_time).toISOString(),
  expires_at: timeText(expire_time),
  last_used_time: timeText(last_used_time),
  last_tool,
})

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
