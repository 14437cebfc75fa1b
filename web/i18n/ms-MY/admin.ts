import type { AdminTexts } from '#web/i18n/dictionary.ts'
import { advice } from './admin/advice.ts'
import { configuration } from './admin/configuration.ts'
import { conversations } from './admin/conversations.ts'
import { logs } from './admin/logs.ts'
import { settingNames } from './admin/settingNames.ts'
import { shell } from './admin/shell.ts'
import { system } from './admin/system.ts'
import { upstreams } from './admin/upstreams.ts'
import { users } from './admin/users.ts'

export const admin: AdminTexts = {
  ...shell,
  ...system,
  ...users,
  ...conversations,
  ...logs,
  ...upstreams,
  ...configuration,
  ...settingNames,
  ...advice,
}
