import type { FirstTexts } from './dictionary.ts'
import { app } from './ms-MY/app.ts'
import { asking } from './ms-MY/asking.ts'
import { conversations } from './ms-MY/conversations.ts'
import { errors } from './ms-MY/errors.ts'
import { messages } from './ms-MY/messages.ts'

export const msMY: FirstTexts = {
  ...app,
  ...errors,
  ...messages,
  ...conversations,
  ...asking,
}
