import type { UserReadAdmin } from '#contract/users.ts'
import type { Account, Portal } from './startPortal.ts'

/**
 * Forty people, as a group of friends and family may have them: names of several scripts, some deactivated, expired or
 * used up.
 */
const NAMES = [
  ['林小雨', 'linxiaoyu'],
  ['陈建国', 'chenjg'],
  ['周婷', 'zhouting'],
  ['Mei Ling', 'meiling'],
  ['赵一诺', 'yinuo'],
  ['孙伯伯', 'sunbo'],
  ['Ahmad Faiz', 'faiz'],
  ['何小满', 'hexm'],
  ['黄丽', 'huangli'],
  ['吴桐', 'wutong'],
  ['Dr. Okafor', 'okafor'],
  ['刘奶奶', 'liunn'],
] as const
const COUNT = 40
/** Milliseconds. */
const DAY = 86_400_000
const PASSWORD = 'correct-horse-7'

export type PeopleIds = Readonly<Record<string, number>>

/**
 * Makes them, and gives their ids by their user names. Asks go to `openai_api`, the source that the portals of tests
 * have.
 */
export async function seedPeople(portal: Portal, admin: Account): Promise<PeopleIds> {
  const ids: Record<string, number> = {}
  for (let at = 0; at < COUNT; at++) {
    const [nickname, username] = NAMES[at] ?? [`朋友 ${at + 1}`, `friend${at + 1}`]
    const email = `${username}@example.org`
    const made = await admin.result<UserReadAdmin>('POST', '/auth/register', {
      nickname,
      username,
      email,
      password: PASSWORD,
    })
    ids[username] = made.id
  }
  const end = new Date(new Date().getFullYear(), 11, 31, 23, 59, 59).getTime()
  const setting = (username: string, count: number, until: number | null = end) =>
    admin.result('PATCH', `/user/${ids[username]}/setting`, {
      openai_api: {
        valid_until: until === null ? null : new Date(until).toISOString(),
        per_model_ask_count: { gpt_4: count },
        daily_available_time_slots: [
          { start_time: '00:00:00', end_time: '12:00:00' },
          { start_time: '12:00:00', end_time: '23:59:59' },
        ],
        rate_limits: [{ window_seconds: 3600, max_requests: 10 }],
        total_ask_count: 500,
      },
    })
  for (const [, username] of NAMES) await setting(username, 40)
  await setting('meiling', 1, Date.now() + 4 * DAY)
  await setting('okafor', 1)
  await setting('huangli', 40, Date.now() - 28 * DAY)
  await setting('sunbo', -1, null)
  await admin.result('PATCH', `/user/${ids['huangli']}`, { is_active: false })
  for (const [username, asks] of [
    ['meiling', 1],
    ['okafor', 1],
    ['chenjg', 3],
    ['faiz', 5],
  ] as const) {
    const person = await portal.signedIn(username, PASSWORD)
    for (let count = 0; count < asks; count++) await person.ask('你好')
  }
  return ids
}

/** Once for a portal: pictures of several looks and states are of the same people. */
const seeded = new WeakMap<Portal, Promise<PeopleIds>>()

export function peopleOf(portal: Portal, admin: Account): Promise<PeopleIds> {
  const seeding = seeded.get(portal) ?? seedPeople(portal, admin)
  seeded.set(portal, seeding)
  return seeding
}
