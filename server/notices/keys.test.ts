import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { someNotices } from './notices.testing.ts'

eachDatabase((_, open) => {
  describe('the key of a portal', () => {
    test('is made once, also by two processes that need it first at the same moment', async () => {
      const { notices, process, person } = await someNotices(await open())
      const [user, other] = [await person(), await process()]
      const read = await Promise.all([notices.read(user), other.read(user), notices.read(user)])
      expect(new Set(read.map(({ public_key }) => public_key)).size).toBe(1)
      expect(read[0]?.public_key).toHaveLength(87)
      expect(await (await process()).read(user)).toMatchObject({ public_key: read[0]?.public_key })
    })
    test('is made anew where it cannot be opened, and the browsers that know the old one are forgotten', async () => {
      const { notices, process, notifiedPerson } = await someNotices(await open())
      const { user } = await notifiedPerson()
      const { public_key } = await notices.read(user)
      const unreadable = {
        seal: (text: string) => `other ${text}`,
        open: (sealed: string) => {
          if (!sealed.startsWith('other ')) throw new Error('sealed with another key')
          return sealed.slice('other '.length)
        },
      }
      const after = await process(unreadable)
      expect((await after.read(user)).public_key).not.toBe(public_key)
      expect(await after.read(user)).toMatchObject({ devices: 0 })
    })
  })
})
