import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { servedUsers } from '#testing/servedUsers.ts'

export const PASSWORD = 'a-good-password'

export const anna = {
  username: 'Anna',
  nickname: 'Anna',
  email: 'anna@example.org',
  password: PASSWORD,
  is_active: true,
  is_superuser: false,
  is_verified: true,
}

export const right = { username: 'Anna', password: PASSWORD }

export const wrong = { username: 'Anna', password: 'another-password' }

export async function served(
  open: OpenDatabase,
  ...options: Parameters<typeof servedUsers> extends [unknown, ...infer Rest] ? Rest : never
) {
  const portal = await servedUsers(open, ...options)
  const { id } = await portal.users.createUser(anna)
  return { ...portal, id, browser: portal.aBrowser() }
}
