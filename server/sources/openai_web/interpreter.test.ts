import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import { startPortal } from '#testing/portal.ts'
import { storedConversation } from '#testing/rows.ts'

const TEAM = 'team-1'
const THEIRS = 'their-conversation'
const PATH = '/mnt/data/汇总 a?x=1#.csv'

/** A web account whose interpreter has one file. */
function anAccount() {
  const asked: { port: string; id: string; team: string | null | undefined; more?: unknown }[] = []
  const noted = (port: string, { web }: ProviderEndpoint, id: string, more?: unknown) =>
    asked.push({ port, id, team: web?.team_account_id, more })
  const provider: Provider = {
    reply: async () => undefined,
    async readInterpreter(endpoint, id) {
      noted('readInterpreter', endpoint, id)
      return { kernel_started: true, time_remaining_ms: 90_000 }
    },
    async sandboxFileUrl(endpoint, id, file) {
      noted('sandboxFileUrl', endpoint, id, file)
      if (file.sandbox_path === '/broken') throw new Refusal('sandboxFileDownloadError')
      if (file.sandbox_path !== PATH) throw new Refusal('sandboxFileNotFound')
      return 'https://storage.example/a?sig=secret'
    },
    async openFile(endpoint, address) {
      noted('openFile', endpoint, address)
      return { size: 5, content: Readable.from([Buffer.from('a,b\n1')]) }
    },
  }
  return { asked, provider }
}

async function aPortal() {
  const account = anAccount()
  const portal = await startPortal({ providers: { openai_web: account.provider } })
  const [lin, mei] = [await portal.person(), await portal.person()]
  const kept = { source: 'openai_web', user_id: lin.id, upstream_conversation_id: THEIRS, source_id: TEAM } as const
  const { open, upstreams } = portal.app.services
  const had = (fields: Partial<Parameters<typeof storedConversation>[1]> = {}) =>
    storedConversation(open.database, { ...kept, upstream_id: upstreams.ofSettings('openai_web').id, ...fields })
  return { ...portal, asked: account.asked, lin, mei, had }
}

const query = (sandbox_path: string, message_id = 'message-1') => new URLSearchParams({ message_id, sandbox_path })

describe('the code interpreter of a conversation', () => {
  test('is told by the account and the team where the conversation is, to its owner and to superusers', async () => {
    const { lin, mei, admin, had, asked } = await aPortal()
    const id = await had()
    expect(await admin.call('GET', `/conv/${id}/interpreter`)).toMatchObject({
      message: 'errors.oversightReasonRequired',
    })
    await admin.result('POST', `/conv/${id}/oversight`, { reason: 'fault', text: 'the interpreter did not start' })
    for (const reader of [lin, admin])
      expect(await reader.result('GET', `/conv/${id}/interpreter`)).toEqual({
        kernel_started: true,
        time_remaining_ms: 90_000,
      })
    expect(await mei.call('GET', `/conv/${id}/interpreter`)).toMatchObject({ message: 'errors.conversationNotFound' })
    const asks = { port: 'readInterpreter', id: THEIRS, team: TEAM }
    expect(asked).toMatchObject([asks, asks])
  })

  test('has not started where nothing was answered, is gone with its account, and is none of the other source', async () => {
    const { lin, had, asked } = await aPortal()
    const at = async (fields: Parameters<typeof had>[0]) => lin.call('GET', `/conv/${await had(fields)}/interpreter`)
    expect(await at({ upstream_conversation_id: null })).toMatchObject({
      code: 200,
      result: { kernel_started: false, time_remaining_ms: 0 },
    })
    expect(await at({ upstream_id: 999_999 })).toMatchObject({ message: 'errors.upstreamGone' })
    expect(await at({ source: 'openai_api' })).toMatchObject({ message: 'errors.notSupportedBySource' })
    expect(asked).toEqual([])
  })
})

describe('a file of the code interpreter', () => {
  test('has an address of the portal, where it is saved under its name and runs nothing', async () => {
    const { url, lin, mei, had, asked } = await aPortal()
    const id = await had()
    const address = await lin.result<string>('GET', `/conv/${id}/interpreter/download-url?${query(PATH)}`)
    expect(address).toBe(`/api/conv/${id}/interpreter/file?${query(PATH)}`)
    const file = await fetch(url + address, { headers: { cookie: lin.cookie } })
    expect(await file.text()).toBe('a,b\n1')
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '5',
      'content-disposition': `attachment; filename="__ a?x=1#.csv"; filename*=UTF-8''${encodeURIComponent('汇总 a?x=1#.csv')}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    const named = {
      port: 'sandboxFileUrl',
      id: THEIRS,
      team: TEAM,
      more: { message_id: 'message-1', sandbox_path: PATH },
    }
    expect(asked).toMatchObject([named, named, { port: 'openFile', id: 'https://storage.example/a?sig=secret' }])
    for (const cookie of [mei.cookie, ''])
      expect([401, 404]).toContain((await fetch(url + address, { headers: { cookie } })).status)
    expect(asked).toHaveLength(3)
  })

  test('that is gone is not found, as old clients look for it; one that cannot be read is said to be so', async () => {
    const { url, lin, had } = await aPortal()
    const id = await had()
    const address = (path: string) => lin.call('GET', `/conv/${id}/interpreter/download-url?${query(path)}`)
    expect(await address('/mnt/data/gone.csv')).toEqual({ code: 404, message: 'errors.resourceNotFound', result: null })
    expect(await address('/broken')).toMatchObject({ code: -1, message: 'errors.sandboxFileDownloadError' })
    const gone = `${url}/api/conv/${id}/interpreter/file?${query('/mnt/data/gone.csv')}`
    expect((await fetch(gone, { headers: { cookie: lin.cookie } })).status).toBe(404)
  })

  test('is asked for only where its path is one', async () => {
    const { lin, had, asked } = await aPortal()
    const id = await had()
    const codeOf = async (path: string) =>
      (await lin.call('GET', `/conv/${id}/interpreter/download-url?${query(path)}`)).code
    const wrong = ['', 'mnt/data/a', '/', '/mnt/../etc/passwd', '/..', '/a\u0000', '/a\r\nb', `/${'a'.repeat(1024)}`]
    for (const path of wrong) expect(await codeOf(path), path).toBe(422)
    expect(asked).toEqual([])
    const odd = [`/${'a'.repeat(1023)}`, '/mnt/data/..a', '/mnt/data/%2e%2e/a']
    for (const path of odd) expect(await codeOf(path), path).toBe(404)
    expect(asked).toHaveLength(odd.length)
  })
})
