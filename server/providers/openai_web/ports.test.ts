import { afterAll, describe, expect, test } from 'vitest'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { aSimulator } from '#simulator/client.testing.ts'
import { upstream } from '#testing/outboundRequests.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { webPorts } from './ports.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

const ports = webPorts(outbound)
const { signal } = new AbortController()

const to = (base_url: string, team_account_id: string | null = null): ProviderEndpoint => ({
  base_url,
  key: 'secret-token',
  key_header: null,
  proxy: null,
  addresses: 'any',
  web: { team_account_id, wss_proxy: null, common_timeout: 600 },
})

const accountOf = (simulator: Simulator) => simulator.web.account('secret-token')

/** An upstream that answers everything with the same. */
async function answering(body: unknown, status = 200, type = 'application/json') {
  const { url, requests } = await upstream((_request, response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { endpoint: to(url), requests }
}

describe('the conversations of a web account', () => {
  test('are listed in pages, read, renamed, given a title and hidden', async () => {
    await using simulator = await aSimulator()
    const endpoint = to(simulator.webUrl)
    const [one = '', two = ''] = accountOf(simulator).addConversations(81)
    const pages = [
      await ports.listConversations(endpoint, { offset: 0, limit: 80 }, signal),
      await ports.listConversations(endpoint, { offset: 80, limit: 80 }, signal),
      await ports.listConversations(endpoint, { offset: 160, limit: 80 }, signal),
    ]
    expect(pages.map(page => page.length)).toEqual([80, 1, 0])
    expect(pages[0]?.[0]).toEqual({ id: one, title: 'Weekly plan 1', create_time: expect.any(Number) })

    const kept = await ports.readConversation(endpoint, one, signal)
    expect(kept).toMatchObject({ title: 'Weekly plan 1', current_node: kept.messages.at(-1)?.id })
    expect(kept.messages.map(({ role, parent }) => [role, parent])).toEqual([
      ['system', expect.any(String)],
      ['user', kept.messages[0]?.id],
      ['assistant', kept.messages[1]?.id],
    ])

    await ports.renameConversation(endpoint, one, '新标题', signal)
    const { current_node } = await ports.readConversation(endpoint, two, signal)
    expect(await ports.titleConversation(endpoint, two, current_node ?? '', signal)).not.toBe('')
    await ports.hideConversation(endpoint, two, signal)
    await ports.hideConversation(endpoint, two, signal)
    const [first, next] = await ports.listConversations(endpoint, { offset: 0, limit: 2 }, signal)
    expect([first?.title, next?.id]).toEqual(['新标题', accountOf(simulator).listed()[1]?.id])
    await expect(ports.readConversation(endpoint, two, signal)).rejects.toMatchObject({ key: 'conversationGone' })
    await ports.showConversation(endpoint, two, signal)
    expect((await ports.readConversation(endpoint, two, signal)).current_node).toBe(current_node)
  })
  test('are those of the team, when it is asked in its name', async () => {
    await using simulator = await aSimulator()
    simulator.web.account('secret-token', 'team-1').addConversations(2)
    const listed = (team: string | null) =>
      ports.listConversations(to(simulator.webUrl, team), { offset: 0, limit: 80 }, signal)
    expect([(await listed(null)).length, (await listed('team-1')).length]).toEqual([0, 2])
  })
  test('are not gone because a page says that something is not found', async () => {
    const { endpoint } = await answering('<html>404</html>', 404, 'text/html')
    for (const asked of [
      ports.readConversation(endpoint, 'a', signal),
      ports.hideConversation(endpoint, 'a', signal),
      ports.renameConversation(endpoint, 'a', 'b', signal),
    ])
      await expect(asked).rejects.toMatchObject({ key: 'openai.webPage', values: { status: 404 } })
  })
  test('are listed without what is none, and a page of nothing else is no end of the list', async () => {
    const good = { id: 'a', title: 'x\u0007y', create_time: '2023-11-14T22:13:20Z' }
    const bad = [null, 'a', { id: '../me' }, { title: 'x' }]
    const mixed = await answering({ items: [...bad, good, { id: 'b', title: 7, create_time: 'soon' }] })
    expect(await ports.listConversations(mixed.endpoint, { offset: 0, limit: 80 }, signal)).toEqual([
      { id: 'a', title: 'x y', create_time: 1_700_000_000_000 },
      { id: 'b', title: null, create_time: null },
    ])
    for (const body of [{ items: bad }, { items: null }, {}, { items: { 0: good } }]) {
      const { endpoint } = await answering(body)
      const listed = ports.listConversations(endpoint, { offset: 0, limit: 80 }, signal)
      await expect(listed).rejects.toMatchObject({ key: 'openai.unknown' })
    }
  })
  test('with an id that leads elsewhere are not asked for', async () => {
    const { endpoint, requests } = await answering({ success: true })
    for (const id of ['..', '../accounts', 'a/b', 'a?b', ''])
      await expect(ports.readConversation(endpoint, id, signal)).rejects.toMatchObject({ key: 'openai.404' })
    expect(requests).toEqual([])
  })
  test('that the upstream does not change are refused', async () => {
    const { endpoint } = await answering({ success: false })
    await expect(ports.renameConversation(endpoint, 'a', 'b', signal)).rejects.toMatchObject({ key: 'openai.unknown' })
    await expect(ports.titleConversation(endpoint, 'a', 'b', signal)).rejects.toMatchObject({ key: 'openai.unknown' })
  })
})

describe('a history', () => {
  const historyWith = async (kind: 'cyclic' | 'huge' | 'broken') => {
    await using simulator = await aSimulator()
    const [id = ''] = accountOf(simulator).addConversations(1)
    simulator.web.nextFault('history', { kind })
    return await ports.readConversation(to(simulator.webUrl), id, signal)
  }

  test.each(['cyclic', 'huge', 'broken'] as const)(
    'that is %s is read, each message once, below one that came before',
    async kind => {
      const { messages, current_node } = await historyWith(kind)
      const ids = new Set<string>()
      const above = messages.filter(({ id, parent }) => {
        const isAbove = ids.size > 0 && (parent === null || !ids.has(parent))
        ids.add(id)
        return isAbove
      })
      expect([messages.length > 0, ids.size, messages.at(-1)?.id !== undefined]).toEqual([true, messages.length, true])
      expect(ids.has(current_node ?? '')).toBe(true)
      expect(above.length).toBeLessThan(5)
    },
  )
  test('that does not come is given up after common_timeout', async () => {
    await using simulator = await aSimulator()
    const [id = ''] = accountOf(simulator).addConversations(1)
    simulator.web.nextFault('history', { kind: 'silence' })
    const endpoint = to(simulator.webUrl)
    const impatient = { ...endpoint, web: { team_account_id: null, wss_proxy: null, common_timeout: 0.2 } }
    await expect(ports.readConversation(impatient, id, signal)).rejects.toMatchObject({
      key: 'upstreamTimeout',
      values: { setting: 'openai_web.common_timeout' },
    })
  })
})

describe('the plugins of a web account', () => {
  test('are found in the store, installed and removed', async () => {
    await using simulator = await aSimulator()
    const endpoint = to(simulator.webUrl)
    const query = { offset: 0, limit: 4, category: '', search: '' }
    const { items, count } = await ports.listPlugins(endpoint, query, signal)
    expect([items.length, count > 4]).toEqual([4, true])
    expect(items.every(({ status, manifest }) => status === 'approved' && manifest?.logo_url === null)).toBe(true)
    const last = items.at(-1)
    const id = last?.id ?? ''
    const change = (is_installed: boolean) => ports.setPluginInstalled(endpoint, id, is_installed, signal)
    const isListed = async () => (await ports.listInstalledPlugins(endpoint, signal)).some(each => each.id === id)
    expect((await change(false)).user_settings?.is_installed).toBe(false)
    expect(await isListed()).toBe(false)
    expect((await change(true)).user_settings?.is_installed).toBe(true)
    expect(await isListed()).toBe(true)
    const name = last?.manifest?.name_for_human ?? ''
    const found = await ports.listPlugins(endpoint, { ...query, search: name, category: 'newly_added' }, signal)
    expect(found.items.every(each => each.manifest?.name_for_human?.includes(name))).toBe(true)
    const asked = simulator.journal.map(({ path, web }) => `${web?.method} ${path.slice('/web/'.length)}?${web?.query}`)
    expect(asked.slice(0, 3)).toEqual([
      'GET aip/p/approved?offset=0&limit=4',
      `PATCH aip/p/${id}/user-settings?`,
      'GET aip/p?offset=0&limit=250&is_installed=true',
    ])
    expect(asked.at(-1)).toBe(
      `GET aip/p/approved?${new URLSearchParams({ offset: '0', limit: '4', category: 'newly_added', search: name })}`,
    )
    await expect(ports.setPluginInstalled(endpoint, 'plugin-x', true, signal)).rejects.toMatchObject({
      key: 'pluginNotFound',
    })
  })
  test('come in pages, of which no endless number is read', async () => {
    let pages = 0
    const { url } = await upstream((_request, response) => {
      pages += 1
      const items = Array.from({ length: 250 }, (_, at) => ({ id: `plugin-${pages}-${at}`, status: 'approved' }))
      response.end(JSON.stringify({ items, count: 9_000_000 }))
    })
    expect(await ports.listInstalledPlugins(to(url), signal)).toHaveLength(8 * 250)
    expect(pages).toBe(8)
  })
})

describe('the files of a web account', () => {
  test('are announced, completed once, and found by their id', async () => {
    await using simulator = await aSimulator()
    const endpoint = to(simulator.webUrl)
    const file = { file_name: '表.csv', file_size: 3, use_case: 'my_files' } as const
    const { file_id, upload_url } = await ports.beginFile(endpoint, file, signal)
    expect(new URL(upload_url).origin).toBe(new URL(simulator.storageUrl).origin)
    await expect(ports.completeFile(endpoint, file_id, signal)).rejects.toMatchObject({ key: 'fileContentMissing' })
    await fetch(upload_url, { method: 'PUT', body: 'a,b', headers: { 'x-ms-blob-type': 'BlockBlob' } })
    const { download_url } = await ports.completeFile(endpoint, file_id, signal)
    expect(await (await fetch(download_url)).text()).toBe('a,b')
    await expect(ports.completeFile(endpoint, file_id, signal)).rejects.toMatchObject({ key: 'chatgptResponseError' })
    expect(await ports.fileUrl(endpoint, file_id, signal)).toMatch(/^http/)
    await expect(ports.fileUrl(endpoint, 'file-other', signal)).rejects.toMatchObject({ key: 'resourceNotFound' })
  })
  test.each([
    ['a status', 429, { detail: 'Too many requests' }, {}],
    ['words', 403, { detail: { message: "You've reached our limit of file uploads. Please try again later." } }, {}],
    ['a time', 429, { detail: { code: 'file_upload_limit', clears_in: 11461 } }, { retry_after_seconds: 11461 }],
    ['an answer', 200, { status: 'error', error_code: 'file_upload_limit_reached', error_message: 'x' }, {}],
    [
      'an answer with a time',
      200,
      { status: 'error', error_message: 'You have hit the limit of file uploads. Try again in 90 seconds.' },
      { retry_after_seconds: 90 },
    ],
  ])(
    'are not taken where the account has uploaded enough for now, as %s says',
    async (_name, status, answer, values) => {
      const file = { file_name: 'a.csv', file_size: 3, use_case: 'my_files' } as const
      for (const call of [
        (endpoint: ProviderEndpoint) => ports.beginFile(endpoint, file, signal),
        (endpoint: ProviderEndpoint) => ports.completeFile(endpoint, 'file_00ab', signal),
      ]) {
        const { endpoint } = await answering(answer, status)
        await expect(call(endpoint)).rejects.toMatchObject({ key: 'openai.uploadLimit', values })
      }
    },
  )
  test.each([
    ['a foreign id', { status: 'success', file_id: '../a', upload_url: 'https://a.example/b' }, 'openai.unknown'],
    ['no address', { status: 'success', file_id: 'file-a' }, 'openai.unknown'],
    ['a script', { status: 'success', file_id: 'file-a', upload_url: 'javascript:alert(1)' }, 'addressNotAllowed'],
    ['a key in an address', { file_id: 'file-a', upload_url: 'https://a:b@c.example/' }, 'addressNotAllowed'],
    [
      'an error',
      { status: 'error', error_code: 'file_too_large', error_message: 'a@b.example' },
      'chatgptResponseError',
    ],
  ])('are not begun by %s', async (_name, answer, key) => {
    const { endpoint } = await answering(answer)
    const started = ports.beginFile(endpoint, { file_name: 'a', file_size: 1, use_case: 'my_files' }, signal)
    await expect(started).rejects.toMatchObject({ key, values: expect.not.objectContaining({ error: 'a@b.example' }) })
  })
})

describe('the interpreter of a conversation', () => {
  test('says how long it stays, gives its files, and says when one is gone', async () => {
    await using simulator = await aSimulator()
    const endpoint = to(simulator.webUrl)
    const [id = ''] = accountOf(simulator).addConversations(1)
    const conversation = accountOf(simulator).conversations.get(id)
    const [message_id = ''] = Object.keys(conversation?.mapping ?? {})
    expect(await ports.readInterpreter(endpoint, id, signal)).toEqual({ kernel_started: false, time_remaining_ms: 0 })
    if (conversation)
      Object.assign(conversation, { interpreter_used: Date.now() / 1000, sandbox: { '/mnt/data/表 1.csv': 'a' } })
    expect(await ports.readInterpreter(endpoint, id, signal)).toMatchObject({ kernel_started: true })
    const download = (sandbox_path: string) => ports.sandboxFileUrl(endpoint, id, { message_id, sandbox_path }, signal)
    expect(await (await fetch(await download('/mnt/data/表 1.csv'))).text()).toBe('a')
    await expect(download('/mnt/data/b.csv')).rejects.toMatchObject({ key: 'sandboxFileNotFound' })
    await expect(
      ports.sandboxFileUrl(endpoint, 'other', { message_id, sandbox_path: '/mnt/data/a' }, signal),
    ).rejects.toMatchObject({ key: 'sandboxFileNotFound' })
  })
  test.each([
    [{ status: 'error', error_code: 'ace_pod_expired' }, 'sandboxFileNotFound'],
    [{ status: 'error', error_code: 'internal_error', error_message: 'no' }, 'sandboxFileDownloadError'],
    [{ status: 'success', download_url: 'file:///etc/passwd' }, 'addressNotAllowed'],
    [{ status: 'success', download_url: null }, 'openai.unknown'],
  ])('gives no address out of %j', async (answer, key) => {
    const { endpoint } = await answering(answer)
    const asked = ports.sandboxFileUrl(endpoint, 'a', { message_id: 'b', sandbox_path: '/mnt/data/a' }, signal)
    await expect(asked).rejects.toMatchObject({ key })
  })
  test.each([
    [
      { kernel_started: true, time_remaining_ms: -5 },
      { kernel_started: true, time_remaining_ms: 0 },
    ],
    [
      { kernel_started: false, time_remaining_ms: null },
      { kernel_started: false, time_remaining_ms: 0 },
    ],
    [
      { kernel_started: true, time_remaining_ms: 1e300 },
      { kernel_started: true, time_remaining_ms: 86_400_000 },
    ],
  ])('stays no longer than can be: %j', async (answer, info) => {
    const { endpoint } = await answering(answer)
    expect(await ports.readInterpreter(endpoint, 'a', signal)).toEqual(info)
  })
})

describe('a test of a web account', () => {
  test.each([
    [401, 'openai.401'],
    [403, 'openai.webPage'],
    [200, 'openai.webPage'],
  ])('that meets a page with %i says so', async (status, key) => {
    const { endpoint } = await answering('<html>Just a moment...</html>', status, 'text/html')
    await expect(ports.test(endpoint, signal)).rejects.toMatchObject({ key })
  })
  test('passes where the list is answered, however short', async () => {
    const { endpoint, requests } = await answering({ items: [] })
    await ports.test(endpoint, signal)
    expect(requests.map(({ url }) => url)).toEqual(['/conversations?offset=0&limit=1'])
  })
})

describe('the accounts of a token', () => {
  test('are checked, the team first', async () => {
    await using simulator = await aSimulator()
    const { accounts, account_ordering } = await ports.checkAccounts(to(simulator.webUrl), signal)
    expect(account_ordering.map(id => accounts[id]?.account.structure)).toEqual(['workspace', 'personal'])
  })
})
