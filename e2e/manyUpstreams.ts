import type { UpstreamRead } from '#contract/upstreams.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import type { Account, Portal } from './startPortal.ts'

export type ManyUpstreams = {
  /** By their labels. */
  ids: Readonly<Record<'Main' | 'Workshop' | 'Old spare' | 'Project key' | 'Lab gateway', number>>
  close(): Promise<void>
}

const KEY = 'sk-workshop-0000-x7Qk'
const MODELS = [
  { code: 'gpt_4', name: 'gpt-4', label: null, context_length: null },
  { code: 'gpt_3_5', name: 'gpt-3.5-turbo', label: null, context_length: null },
]

/**
 * Accounts in each state that there is: normal with a limit that is used, cooling down, refused, of many places, and
 * paused.
 */
export async function seedUpstreams(portal: Portal, admin: Account): Promise<ManyUpstreams> {
  const workshop = await startSimulator({ tokens_per_second: 0, key: KEY })
  const add = (label: string, more: object) =>
    admin.result<UpstreamRead>('POST', '/system/upstreams', {
      source: 'openai_api',
      label,
      base_url: workshop.url,
      secret: KEY,
      models: MODELS,
      ...more,
    })
  const first = (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(
    ({ source, removable }) => !removable && source === 'openai_api',
  )
  if (first === undefined) throw new Error('there is no first endpoint')
  await admin.result('PATCH', `/system/upstreams/${first.id}`, { label: 'Main' })
  await admin.result('POST', `/system/upstreams/${first.id}/test`)
  await haveAnswered(portal, 9)
  const cooling = await add('Workshop', { concurrency: 2, shared_limit: 10, shared_limit_window_seconds: 10_800 })
  await coolDown({ portal, admin, workshop }, first, cooling)
  const refused = await add('Old spare', { secret: 'sk-that-was-taken-back' })
  const key = await add('Project key', { concurrency: 8 })
  const paused = await add('Lab gateway', { concurrency: 4 })
  await admin.result('POST', `/system/upstreams/${paused.id}/pause`)
  return {
    ids: {
      Main: first.id,
      Workshop: cooling.id,
      'Old spare': refused.id,
      'Project key': key.id,
      'Lab gateway': paused.id,
    },
    close: () => workshop.close(),
  }
}

async function haveAnswered(portal: Portal, count: number): Promise<void> {
  const person = await portal.person()
  for (let asked = 0; asked < count; asked++) await person.ask('你好', { new_title: '一个对话' })
}

/** Only it is asked, and refuses for some minutes. */
async function coolDown(
  { portal, admin, workshop }: { portal: Portal; admin: Account; workshop: Simulator },
  others: UpstreamRead,
  cooling: UpstreamRead,
): Promise<void> {
  await admin.result('POST', `/system/upstreams/${others.id}/pause`)
  const person = await portal.person()
  for (let asked = 0; asked < 3; asked++) await person.ask('你好', { new_title: '在工作室' })
  workshop.nextFault({ kind: 'status', status: 429, retry_after_seconds: 600 })
  await person.ask('你好', { new_title: '还没有回答' })
  await admin.result('POST', `/system/upstreams/${others.id}/resume`)
  const { health } = (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(
    ({ id }) => id === cooling.id,
  ) ?? { health: null }
  if (health?.state !== 'cooling') throw new Error(`it does not cool: ${JSON.stringify(health)}`)
}
