import { advice } from './admin/advice.ts'
import { configuration } from './admin/configuration.ts'
import { conversations } from './admin/conversations.ts'
import { logs } from './admin/logs.ts'
import { settingNames } from './admin/settingNames.ts'
import { shell } from './admin/shell.ts'
import { system } from './admin/system.ts'
import { upstreams } from './admin/upstreams.ts'
import { users } from './admin/users.ts'

/** Texts of the admin area, one file a page. They are loaded when somebody enters it. */
export const admin = {
  ...shell,
  ...system,
  ...users,
  ...conversations,
  ...logs,
  ...upstreams,
  ...configuration,
  ...settingNames,
  ...advice,
} as const
