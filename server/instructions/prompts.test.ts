import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { MAX_PROMPTS, NewPrompt } from '#contract/prompts.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedUsers, SOME_TIME } from '#testing/servedUsers.ts'
import { openPrompts } from './prompts.ts'
import { promptStore } from './promptStore.ts'

const ACCOUNT = { password: 'a-good-password', is_active: true, is_superuser: false, is_verified: false, email: '' }

async function threePeople(open: OpenDatabase) {
  const { users } = await servedUsers(open)
  const person = async (username: string) => {
    const { id } = await users.createUser({ ...ACCOUNT, username, nickname: username, remark: '' })
    return { id, is_superuser: false }
  }
  const prompts = openPrompts({
    open,
    clock: { now: () => SOME_TIME, monotonic: () => SOME_TIME },
    configuration: () => Configuration.parse({}),
  })
  return {
    prompts,
    anna: await person('anna'),
    bo: await person('bo'),
    root: { ...(await person('r')), is_superuser: true },
  }
}

const letter = NewPrompt.parse({ name: 'A letter', short_name: 'letter', text: 'Write to [whom] about [what].' })
const shared = { ...letter, name: 'To the landlord', is_shared: true }

eachDatabase((_, open) => {
  describe('prompts', () => {
    test('are seen by whoever wrote them, and the shared ones by everybody', async () => {
      const { prompts, anna, bo, root } = await threePeople(await open())
      await prompts.create(anna, letter)
      await prompts.create(root, shared)
      expect((await prompts.list(anna)).map(({ name }) => name)).toEqual(['A letter', 'To the landlord'])
      expect((await prompts.list(bo)).map(({ name }) => name)).toEqual(['To the landlord'])
    })
    test('of everybody are kept, changed and removed by superusers alone', async () => {
      const { prompts, anna, root } = await threePeople(await open())
      await expect(prompts.create(anna, shared)).rejects.toMatchObject({ key: 'authorityDeny' })
      const { id } = await prompts.create(root, shared)
      await expect(prompts.update(anna, id, { name: 'x' })).rejects.toMatchObject({ key: 'authorityDeny' })
      await expect(prompts.remove(anna, id)).rejects.toMatchObject({ key: 'authorityDeny' })
      expect(await prompts.update(root, id, { is_active: false })).toMatchObject({ is_active: false, is_shared: true })
      expect(await prompts.list(anna)).toEqual([])
      expect(await prompts.list(root)).toMatchObject([{ id, is_active: false }])
      await prompts.remove(root, id)
      expect(await prompts.list(root)).toEqual([])
    })
    test('of somebody else are not found, by superusers either', async () => {
      const { prompts, anna, bo, root } = await threePeople(await open())
      const { id } = await prompts.create(anna, letter)
      for (const other of [bo, root]) {
        await expect(prompts.update(other, id, { name: 'x' })).rejects.toMatchObject({ key: 'promptNotFound' })
        await expect(prompts.remove(other, id)).rejects.toMatchObject({ key: 'promptNotFound' })
        await expect(prompts.noteUse(other, id)).rejects.toMatchObject({ key: 'promptNotFound' })
      }
      expect(await prompts.update(anna, id, { text: 'Other' })).toMatchObject({ name: 'A letter', text: 'Other' })
    })
    test('that are shared count by whom they were asked this month, for superusers alone', async () => {
      const { prompts, anna, bo, root } = await threePeople(await open())
      const { id } = await prompts.create(root, shared)
      const own = await prompts.create(anna, letter)
      for (const user of [anna, anna, bo]) await prompts.noteUse(user, id)
      await prompts.noteUse(anna, own.id)
      expect(await prompts.list(root)).toMatchObject([{ id, uses: { count: 3, people: 2 } }])
      expect((await prompts.list(anna)).find(prompt => prompt.id === id)).not.toHaveProperty('uses')
    })
    test('are bounded for each person', async () => {
      const database = await open()
      const { prompts, anna, bo } = await threePeople(database)
      const { is_shared: _, text, ...row } = letter
      for (let at = 0; at < MAX_PROMPTS; at++)
        await promptStore(database.database).insert({ ...row, user_id: anna.id, prompt_text: text, update_time: 1 })
      await expect(prompts.create(anna, letter)).rejects.toMatchObject({ key: 'tooManyPrompts' })
      await expect(prompts.create(bo, letter)).resolves.toMatchObject({ is_shared: false })
    })
  })
})
