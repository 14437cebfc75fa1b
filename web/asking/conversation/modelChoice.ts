import { useMemo } from 'react'
import { type ConversationHistory, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import { bestModel, bestSelection, modelChoices, remainingOf } from '#web/conversations/choices.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { lastSelection, rememberSelection } from '#web/foundation/stored.ts'
import { useSession } from '#web/foundation/session.ts'
import { useNow } from '#web/foundation/times.ts'
import { chooseLevel, chooseModel, holdConversation, useUnsaved } from '../drafts/unsaved.ts'

export type ModelChoices = {
  source: Source
  model: string
  models: ModelChoice[]
  /** Asks left with this model; null = unlimited. */
  remaining: number | null
  choose(model: string): void
  /** How hard the model can be told to think, from the least on. */
  levels: readonly string[]
  /** Null: as it does by itself. */
  level: string | null
  chooseLevel(level: string | null): void
}

/** The model of the next question; null while loading, and when no model may be used. */
export function useModelChoice(history: ConversationHistory | null): ModelChoices | null {
  const portal = usePortal()
  const { user } = useSession()
  const now = useNow(60_000)
  const { unsaved, models: chosen, levels: chosenLevels } = useUnsaved()
  return useMemo(() => {
    if (portal === undefined || user === null) return null
    const { setting } = user
    const selection = history === null ? (unsaved ?? bestSelection(portal, setting, lastSelection(), now)) : null
    const source = history?.source ?? selection?.source
    if (source === undefined) return null
    const models = modelChoices(portal, setting, source)
    const wanted = history === null ? selection?.model : (chosen[history._id] ?? history.current_model)
    const model = models.some(({ code }) => code === wanted)
      ? wanted
      : (bestModel(models, setting, source, null) ?? models[0]?.code)
    if (model == null) return null
    const choose = (code: string) => {
      rememberSelection({ source, model: code })
      if (history !== null) chooseModel(history._id, code)
      else holdConversation({ source, model: code, title: unsaved?.title ?? '', fields: {} })
    }
    const key = history?._id ?? NEW_CONVERSATION
    const levels = models.find(({ code }) => code === model)?.thinking_levels ?? []
    const wantedLevel = chosenLevels[key] === undefined ? (history?.thinking_level ?? null) : chosenLevels[key]
    return {
      source,
      model,
      models,
      remaining: remainingOf(setting, source, model),
      choose,
      levels,
      level: wantedLevel !== null && levels.includes(wantedLevel) ? wantedLevel : null,
      chooseLevel: level => chooseLevel(key, level),
    }
  }, [portal, user, history, unsaved, chosen, chosenLevels, now])
}
