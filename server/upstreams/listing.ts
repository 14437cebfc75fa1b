import { createHash } from 'node:crypto'
import { requestAddress } from '#contract/settings.ts'
import { codeOf, type ListedModel } from '#server/configuration/models.ts'
import type { ModelRow } from './store.ts'

/** Models that are kept: more than anybody chooses from. Those that do not chat are kept for a mapping that names one. */
const MAX_KEPT = { chat: 1_000, other: 200 }

export type KeptModel = Omit<ModelRow, 'upstream_id' | 'position'>

/** Identifies the address that a list was read from. A digest, since the address may contain a secret. */
export function digestOf(base_url: string): string {
  return createHash('sha256').update(requestAddress(base_url, 'models')).digest('hex')
}

/** The models of a list that are stored. `picked`: those that an administrator has picked, which stay as they are; no other is offered then. */
export function keptOf(listed: readonly ListedModel[], picked: readonly KeptModel[] | null): KeptModel[] {
  const chat = listed.filter(model => model.for_chat).slice(0, MAX_KEPT.chat)
  const others = listed.filter(model => !model.for_chat).slice(0, MAX_KEPT.other)
  const kept = new Map(picked?.map(model => [model.code, model]))
  const names = new Set(picked?.map(({ name }) => name))
  for (const { id, context_length, for_chat } of [...chat, ...others]) {
    const code = codeOf(id)
    if (names.has(id) || kept.has(code)) continue
    kept.set(code, { code, name: id, label: null, context_length, offered: for_chat && picked === null })
  }
  return [...kept.values()]
}
