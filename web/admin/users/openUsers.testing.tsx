import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { aPortal } from '#web/foundation/api.testing.ts'
import { UsersScreen } from './UsersScreen.tsx'

export const portal = aPortal({
  time_zone: 'Asia/Shanghai',
  demonstration: false,
  sources: [
    { source: 'openai_web', enabled: true },
    { source: 'openai_api', enabled: true },
  ],
  models: [
    { source: 'openai_web', code: 'gpt_3_5', label: null, ...UNKNOWN_CAPABILITIES },
    { source: 'openai_web', code: 'gpt_4', label: null, ...UNKNOWN_CAPABILITIES },
    { source: 'openai_api', code: 'gpt_4', label: null, ...UNKNOWN_CAPABILITIES },
  ],
})

/** The page at an address of its own; gives what the address says. */
export async function openUsers(search = ''): Promise<() => string> {
  const { router } = await openAdminScreen(UsersScreen, `/admin/user${search}`)
  return () => router.state.location.searchStr
}
