import { createHash } from 'node:crypto'
import { requestAddress } from '#contract/settings.ts'
import { codeOf, type ListedModel } from '#server/configuration/models.ts'
import { BLANK, type ModelKnowledge, readColumns, sameModel, withSetContext } from './capabilities.ts'

/**
 * Models that are kept: more than anybody chooses from. Those that do not chat are kept for a mapping that names one.
 */
const MAX_KEPT = { chat: 1_000, other: 200 }

/** Identifies the address that a list was read from. A digest, since the address may contain a secret. */
export function digestOf(base_url: string): string {
  return createHash('sha256').update(requestAddress(base_url, 'models')).digest('hex')
}

/**
 * The models of a list that are stored. `picked`: those that an administrator has picked, which stay; no other is
 * offered then.
 */
export function keptOf(listed: readonly ListedModel[], picked: readonly ModelKnowledge[] | null): ModelKnowledge[] {
  const chat = listed.filter(model => model.for_chat).slice(0, MAX_KEPT.chat)
  const others = listed.filter(model => !model.for_chat).slice(0, MAX_KEPT.other)
  const byName = new Map([...chat, ...others].map(model => [model.id, model]))
  const kept = new Map(picked?.map(model => [model.code, asRead(model, byName.get(model.name))]))
  const names = new Set(picked?.map(({ name }) => name))
  for (const model of [...chat, ...others]) {
    const { id, for_chat } = model
    const code = codeOf(id)
    if (names.has(id) || kept.has(code)) continue
    const offered = for_chat && picked === null
    kept.set(code, { ...BLANK, code, name: id, ...readColumns(model), offered })
  }
  return [...kept.values()]
}

/** A picked model comes with the context that its list said: that is not set by hand. */
function asRead(model: ModelKnowledge, listed: ListedModel | undefined): ModelKnowledge {
  const read = { ...model, ...readColumns(listed) }
  const context_length = model.set_capabilities?.context_length ?? null
  return { ...read, set_capabilities: withSetContext(read, context_length) }
}

/** Listed models with what was set and learned of them before; what was of others stays known, too. */
export function withEarlier(models: readonly ModelKnowledge[], before: readonly ModelKnowledge[]): ModelKnowledge[] {
  const now = models.map(model => {
    const earlier = sameModel(before, model)
    if (earlier === undefined) return model
    const { set_capabilities, request_fields, thinking_fields } = earlier
    const { learned_context_length, learned_capabilities, learned_digest, learned_time } = earlier
    const learned = { learned_context_length, learned_capabilities, learned_digest, learned_time }
    return { ...model, set_capabilities, request_fields, thinking_fields, ...learned }
  })
  return [...now, ...notAmong(now, before)]
}

/** What was set and learned of models that are no longer there: they may come back. */
export function notAmong(models: readonly ModelKnowledge[], before: readonly ModelKnowledge[]): ModelKnowledge[] {
  return before
    .filter(model => sameModel(models, model) === undefined && isWorthKeeping(model))
    .map(model => ({ ...model, ...readColumns(undefined), label: null, offered: false, listed: false }))
}

const isWorthKeeping = (model: ModelKnowledge): boolean =>
  (['set_capabilities', 'request_fields', 'thinking_fields', 'learned_time'] as const).some(
    name => model[name] !== null,
  )
