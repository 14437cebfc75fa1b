import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'

export const readArkose = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/arkose/info',
  summary: 'Whether a question needs an Arkose token; asked by old clients before every ask.',
  result: z.object({ enabled: z.boolean(), url: z.string() }),
} as const satisfies Call
