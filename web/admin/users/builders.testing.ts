import type { SourceSummary, UserRow } from '#contract/userAdministration.ts'
import { aUser } from '#web/foundation/api.testing.ts'
import type { LoadedUser } from './state/useUsers.ts'

const COUNTED = [{ model: 'gpt_4', available: true, count: { used: 5, allowed: 20, remaining: 15 } }]

/** A person with 12 of 40 asks used, and 5 of 20 of one model. */
export function aSummary(about: Partial<SourceSummary> = {}): SourceSummary {
  return {
    allow_to_use: true,
    valid_until: null,
    total: { used: 12, allowed: 40, remaining: 28 },
    conversations: { used: 4, allowed: 10 },
    models: COUNTED,
    ...about,
  }
}

export function aRow(about: Partial<UserRow> = {}): UserRow {
  const { avatar: _avatar, setting: _setting, ...user } = aUser()
  return {
    ...user,
    remark: null,
    chat_status: 'idling',
    queue_position: null,
    plan: { plan_id: 1, name: 'Default' },
    credits: 0,
    openai_web: aSummary(),
    openai_api: aSummary(),
    conversations: 4,
    sessions: 1,
    ...about,
  }
}

export function aLoadedUser(): LoadedUser {
  const user = aUser()
  return { user: { ...user, remark: null }, row: aRow({ id: user.id }) }
}
