import { accounts } from './zh-CN/accounts.ts'
import { app } from './zh-CN/app.ts'
import { asking } from './zh-CN/asking.ts'
import { conversations } from './zh-CN/conversations.ts'
import { errors } from './zh-CN/errors.ts'
import { messages } from './zh-CN/messages.ts'
import { sharing } from './zh-CN/sharing.ts'

/** The default language, and the list of all keys but those of the admin area (`zh-CN/admin.ts`). */
export const zhCN = {
  ...app,
  ...errors,
  ...accounts,
  ...messages,
  ...conversations,
  ...asking,
  ...sharing,
} as const
