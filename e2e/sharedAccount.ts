import type { SharingFields } from '#contract/upstreamSharing.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type * as z from 'zod/mini'
import type { Account, Portal } from './startPortal.ts'

export type Sharing = { [Name in keyof typeof SharingFields]?: z.input<(typeof SharingFields)[Name]> }

const MODELS = [
  { code: 'gpt_3_5', name: 'gpt-3.5-turbo', label: null, context_length: null },
  { code: 'gpt_4', name: 'gpt-4', label: null, context_length: null },
]

/**
 * One account alone answers from now on, of which nobody has asked but these people, once each: so they and nobody else
 * have a share of it.
 */
export async function shareAnAccount(portal: Portal, people: readonly Account[], sharing: Sharing): Promise<void> {
  const admin = await portal.admin()
  const before = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
  const account = await admin.result<UpstreamRead>('POST', '/system/upstreams', {
    ...{ source: 'openai_api', label: `Shared ${before.length}`, base_url: portal.simulator.url },
    ...{ secret: 'key-of-the-journeys', models: MODELS, concurrency: 4 },
  })
  for (const { id, removable, paused_since } of before)
    if (removable) await admin.result('DELETE', `/system/upstreams/${id}`)
    else if (paused_since === null) await admin.result('POST', `/system/upstreams/${id}/pause`)
  for (const each of people) await each.ask('x', { new_title: 'x' })
  await admin.result('PATCH', `/system/upstreams/${account.id}`, { sharing: 'shares', ...sharing })
}
