import type { UserKey } from '#contract/keys.ts'

export const aKey = (fields: Partial<UserKey> = {}): UserKey => ({
  id: 7,
  name: '笔记本',
  ending: 'x7Qk',
  create_time: '2026-11-20T06:00:00.000Z',
  expires_at: null,
  last_used_time: null,
  last_tool: null,
  limits: [],
  models: null,
  may_borrow: true,
  quiet_only: false,
  keeps_conversations: false,
  used: { limits: [], asks_of_week: 0 },
  ...fields,
})
