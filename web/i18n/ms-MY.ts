import type { FirstTexts } from './dictionary.ts'
import { accounts } from './ms-MY/accounts.ts'
import { app } from './ms-MY/app.ts'
import { asking } from './ms-MY/asking.ts'
import { conversations } from './ms-MY/conversations.ts'
import { errors } from './ms-MY/errors.ts'
import { messages } from './ms-MY/messages.ts'
import { sharing } from './ms-MY/sharing.ts'

export const msMY: FirstTexts = {
  ...app,
  ...errors,
  ...accounts,
  ...messages,
  ...conversations,
  ...asking,
  ...sharing,
}
