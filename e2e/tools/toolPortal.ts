import type { LoggedAsk } from '#contract/askLog.ts'
import type { NewKey } from '#contract/keys.ts'
import type { Dialect } from '#contract/gateway.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { type Account, startPortal } from '../startPortal.ts'

export const MODEL = 'gpt_4'
const MODELS = [{ code: MODEL, name: 'gpt-4', label: null, context_length: null }]
const CONCURRENCY = 8

export type ToolPortal = Awaited<ReturnType<typeof startToolPortal>>

/** A portal whose one account speaks these dialects, or all where none are given. */
export async function startToolPortal(dialects: readonly Dialect[] | null) {
  const portal = await startPortal()
  const admin = await portal.admin()
  const account = await admin.result<UpstreamRead>('POST', '/system/upstreams', {
    ...{ source: 'openai_api', label: 'Main', base_url: portal.simulator.url, secret: 'key-of-the-journeys' },
    ...{ models: MODELS, concurrency: CONCURRENCY, dialects },
  })
  for (const { id } of await admin.result<UpstreamRead[]>('GET', '/system/upstreams'))
    if (id !== account.id) await admin.result('POST', `/system/upstreams/${id}/pause`)
  await admin.result('PATCH', '/plan/1', { max_keys: 20 })
  const change = (fields: object) => admin.result('PATCH', `/system/upstreams/${account.id}`, fields)
  return {
    ...portal,
    /** Has the account answer one after the other, while the work lasts. */
    async oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
      await change({ concurrency: 1 })
      try {
        return await work()
      } finally {
        await change({ concurrency: CONCURRENCY })
      }
    },
    async key(owner: Account, fields: Partial<NewKey> = {}): Promise<{ id: number; key: string }> {
      return owner.result('POST', '/user/me/keys', { name: 'Laptop', ...fields })
    },
    revoke: (owner: Account, id: number) => owner.result('DELETE', `/user/me/keys/${id}`),
    /** What somebody asked that has ended, the latest first. */
    async log({ id }: Account): Promise<LoggedAsk[]> {
      const { rows } = await admin.result<{ rows: LoggedAsk[] }>('GET', `/system/asks?person=${id}`)
      return rows
    },
    /** Asks by a key, without a client. */
    async ask(key: string, content: string): Promise<string> {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content }] }),
      })
      return response.text()
    },
  }
}
