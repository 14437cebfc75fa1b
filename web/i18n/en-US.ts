import type { FirstTexts } from './dictionary.ts'
import { app } from './en-US/app.ts'
import { asking } from './en-US/asking.ts'
import { conversations } from './en-US/conversations.ts'
import { errors } from './en-US/errors.ts'
import { messages } from './en-US/messages.ts'

export const enUS: FirstTexts = {
  ...app,
  ...errors,
  ...messages,
  ...conversations,
  ...asking,
}
