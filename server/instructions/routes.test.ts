import { describe, expect, test } from 'vitest'
import { MAX_INSTRUCTIONS, MAX_OWN_INSTRUCTIONS } from '#contract/instructions.ts'
import { MAX_BLANKS, MAX_PROMPT_LENGTH, type Prompt } from '#contract/prompts.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const LETTER = { name: '  一封信 ', short_name: 'Surat', text: 'Write to [whom] about [what].' }
const OWN = { about_me: '', how_to_answer: '', is_on: true, with_keys: false }
const UNKNOWN = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

eachStorage((_name, storage) => {
  describe('prompts', () => {
    test('are kept, changed and removed by their owner', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const made = await lin.result<Prompt>('POST', '/prompt', LETTER)
      expect(made).toMatchObject({ name: '一封信', short_name: 'surat', blanks: {}, is_shared: false, is_active: true })
      expect(await lin.result('GET', '/prompt')).toEqual([made])
      const change = { name: 'Renamed', blanks: { what: { value: 'the rent', is_required: true } } }
      const changed = await lin.result<Prompt>('PATCH', `/prompt/${made.id}`, change)
      expect(changed).toMatchObject({ ...change, text: LETTER.text, short_name: 'surat' })
      expect(await lin.result('GET', '/prompt')).toMatchObject([change])
      expect(await lin.call('DELETE', `/prompt/${made.id}`)).toMatchObject({ code: 200, result: null })
      expect(await lin.result('GET', '/prompt')).toEqual([])
      for (const [method, path] of [
        ['DELETE', ''],
        ['PATCH', ''],
        ['POST', '/use'],
      ] as const)
        expect(
          await lin.call(method, `/prompt/${made.id}${path}`, method === 'PATCH' ? { name: 'x' } : undefined),
        ).toMatchObject({
          message: 'errors.promptNotFound',
        })
    })
    test('have bounds, and a wrong one leaves nothing behind', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const blanks = Object.fromEntries(
        Array.from({ length: MAX_BLANKS + 1 }, (_, at) => [`b${at}`, { value: '', is_required: false }]),
      )
      for (const wrong of [
        { name: '' },
        { name: ' \t' },
        { name: 'x'.repeat(81) },
        { short_name: 'two words' },
        { short_name: '../x' },
        { text: '' },
        { text: 'x'.repeat(MAX_PROMPT_LENGTH + 1) },
        { blanks },
        { blanks: { what: { value: 'x'.repeat(501), is_required: false } } },
        { is_active: 'yes' },
      ])
        expect(
          await lin.call('POST', '/prompt', { ...LETTER, ...wrong }),
          JSON.stringify(wrong).slice(0, 60),
        ).toMatchObject({
          code: 422,
        })
      expect(await lin.result('GET', '/prompt')).toEqual([])
      const longest = { ...LETTER, text: '早'.repeat(MAX_PROMPT_LENGTH) }
      expect((await lin.result<Prompt>('POST', '/prompt', longest)).text).toBe(longest.text)
    })
    test('that are shared stay shared: nobody makes them their own, nor their own everybody’s, by a change', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const [own, shared] = [
        await lin.result<Prompt>('POST', '/prompt', LETTER),
        await admin.result<Prompt>('POST', '/prompt', { ...LETTER, is_shared: true }),
      ]
      await lin.call('PATCH', `/prompt/${own.id}`, { is_shared: true, name: 'Mine' })
      await admin.call('PATCH', `/prompt/${shared.id}`, { is_shared: false, name: 'Ours' })
      const mei = await person()
      const seen = await mei.result<Prompt[]>('GET', '/prompt')
      expect(seen.map(({ id, is_shared }) => [id, is_shared])).toEqual([[shared.id, true]])
      expect(seen[0]).not.toHaveProperty('uses')
    })
    test('go with the account of their owner, and shared ones stay', async () => {
      const { person, admin, app } = await startPortal({ storage: await storage() })
      const lin = await person()
      await lin.result('POST', '/prompt', LETTER)
      const shared = await admin.result<Prompt>('POST', '/prompt', { ...LETTER, is_shared: true })
      await lin.result('POST', `/prompt/${shared.id}/use`)
      await admin.result('DELETE', `/user/${lin.id}`)
      const rows = await app.services.open.database.selectFrom('prompts').select('id').execute()
      expect(rows).toEqual([{ id: shared.id }])
    })
  })

  describe('instructions', () => {
    test('have bounds in letters of any script, without blanks around them', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const longest = '早'.repeat(MAX_OWN_INSTRUCTIONS)
      expect(await lin.result('PUT', '/user/me/instructions', { ...OWN, about_me: `  ${longest}\n` })).toMatchObject({
        about_me: longest,
      })
      for (const wrong of [
        { about_me: `${longest}x` },
        { how_to_answer: `${longest}x` },
        { about_me: null },
        { is_on: 1 },
      ])
        expect(await lin.call('PUT', '/user/me/instructions', { ...OWN, ...wrong })).toMatchObject({ code: 422 })
      expect(await lin.result('GET', '/user/me/instructions')).toMatchObject({ about_me: longest, is_on: true })
    })
    test('are kept as both databases can: what is no letter is replaced', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const odd = { ...OWN, about_me: 'a\u0000b', how_to_answer: 'half \uD83D' }
      const kept = { about_me: 'a\uFFFDb', how_to_answer: 'half \uFFFD' }
      expect(await lin.result('PUT', '/user/me/instructions', odd)).toMatchObject(kept)
      expect(await lin.result('GET', '/user/me/instructions')).toMatchObject(kept)
    })
    test('of a conversation have theirs, and need one that there is', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const put = (id: string, text: string) => lin.call('PUT', `/conv/${id}/instructions`, { text, with_own: null })
      expect(await put(UNKNOWN, 'x')).toMatchObject({ message: 'errors.conversationNotFound' })
      expect(await put(UNKNOWN, 'x'.repeat(MAX_INSTRUCTIONS + 1))).toMatchObject({ code: 422 })
      expect(await put('1', 'x')).toMatchObject({ code: 422 })
    })
  })
})
