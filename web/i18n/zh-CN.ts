import { app } from './zh-CN/app.ts'
import { asking } from './zh-CN/asking.ts'
import { conversations } from './zh-CN/conversations.ts'
import { errors } from './zh-CN/errors.ts'
import { messages } from './zh-CN/messages.ts'

/** The default language, and the list of all keys but those of the admin area (`zh-CN/admin.ts`). */
export const zhCN = {
  ...app,
  ...errors,
  ...messages,
  ...conversations,
  ...asking,
} as const
