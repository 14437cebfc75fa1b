import type { MyShare, Share, SharePerson, ShareWindow } from '#contract/shares.ts'

// For tests: everything that the case is not about.

export const aPerson = (fields: Partial<SharePerson> = {}): SharePerson => ({
  name: '陈建国',
  user_id: 2,
  is_me: false,
  is_owner: false,
  share: 8,
  used: 0,
  borrowed: 0,
  lent: 0,
  kept: 0,
  ...fields,
})

export const aMyShare = (fields: Partial<MyShare> = {}): MyShare => ({
  share: 8,
  used: 0,
  borrowed: 0,
  may_borrow: 0,
  next_own_at: null,
  next_own: null,
  received: 0,
  given: 0,
  ...fields,
})

export const aWindow = (fields: Partial<ShareWindow> = {}): ShareWindow => ({
  unit: 'asks',
  window: { kind: 'rolling', seconds: 18_000 },
  models: null,
  capacity: 50,
  used: 0,
  ends_at: null,
  reported: false,
  mine: aMyShare(),
  people: [],
  ...fields,
})

export const aShare = (fields: Partial<Share> = {}): Share => ({
  upstream_id: 1,
  upstream_ids: [1],
  source: 'openai_api',
  label: '主账号',
  sharing: 'shares',
  names: 'full',
  currency: 'CNY',
  is_owner: false,
  windows: [aWindow()],
  ...fields,
})

/** The family of the drawing: nine people, 35 of 50 used within 5 hours, of which I used 6 of my 8. */
export const aFamily = (): SharePerson[] => [
  aPerson({ name: '林小雨', user_id: 1, is_me: true, used: 6 }),
  aPerson({ name: '陈建国', user_id: 2, used: 13, borrowed: 5 }),
  aPerson({ name: '何小满', user_id: 3, used: 5, kept: 3 }),
  aPerson({ name: 'Mei Ling', user_id: 4, share: 2, used: 5, borrowed: 3 }),
  aPerson({ name: '孙伯伯', user_id: 5, share: 4, used: 3, kept: 1 }),
  aPerson({ name: '周明', user_id: 6, is_owner: true, share: 6, used: 2, kept: 4 }),
  aPerson({ name: 'Ahmad', user_id: 7, share: 2, used: 1, kept: 1 }),
  aPerson({ name: '周婷', user_id: 8, lent: 6, kept: 0 }),
  aPerson({ name: '刘奶奶', user_id: 9, share: 4, lent: 2, kept: 0 }),
]
