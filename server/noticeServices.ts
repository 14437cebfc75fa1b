import type { Allowance } from '#contract/allowance.ts'
import { type NoticeDependencies, openNotices } from '#server/notices/notices.ts'
import type { Users } from '#server/users/users.ts'

type Dependencies = Omit<NoticeDependencies, 'opensAt' | 'preferencesOf'> & { users: Pick<Users, 'preferences'> }

/** Notices by browsers, with what they need of others: when somebody may ask again, and what they want to be told. */
export const openNoticeServices = (dependencies: Dependencies, allowance: (user_id: number) => Promise<Allowance>) =>
  openNotices({
    ...dependencies,
    preferencesOf: dependencies.users.preferences.read,
    opensAt: async (user_id, source, model) => {
      const of = (await allowance(user_id)).sources.find(each => each.source === source)
      const verdict = of?.models.find(each => each.model === model)?.verdict ?? of?.verdict
      if (verdict?.may_ask === true) return 'now'
      return verdict === undefined || verdict.opens_at === null ? 'never' : Date.parse(verdict.opens_at)
    },
  })
