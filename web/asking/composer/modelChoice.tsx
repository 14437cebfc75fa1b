import { useMemo } from 'react'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import { bestModel, bestSelection, modelChoices, remainingOf } from '#web/conversations/choices.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { lastSelection, rememberSelection } from '#web/foundation/stored.ts'
import { useSession } from '#web/foundation/session.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { chooseModel, holdConversation, useUnsaved } from '../drafts/unsaved.ts'
import styles from './composer.module.css'

export type ModelChoices = {
  source: Source
  model: string
  models: ModelChoice[]
  /** Asks left with this model; null = unlimited. */
  remaining: number | null
  choose(model: string): void
}

/** The model of the next question; null while loading, and when no model may be used. */
export function useModelChoice(history: ConversationHistory | null): ModelChoices | null {
  const portal = usePortal()
  const { user } = useSession()
  const now = useNow(60_000)
  const { unsaved, models: chosen } = useUnsaved()
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
    return { source, model, models, remaining: remainingOf(setting, source, model), choose }
  }, [portal, user, history, unsaved, chosen, now])
}

/** Chooses the model of the next question. */
export function ModelPicker({ choice: { model, models, choose } }: { choice: ModelChoices }) {
  const t = useTranslate()
  const modelName = useModelName()
  const name = modelName(model) ?? model
  if (models.length < 2) return <span className={styles.model}>{name}</span>
  const entries = models.map(({ code }) => ({
    label: modelName(code) ?? code,
    chosen: code === model,
    run: () => choose(code),
  }))
  return (
    <MenuButton
      label={t('composer.model', { model: name })}
      className={styles.pick}
      entries={entries}
      position="top-start"
    >
      <span className={styles.modelName}>{name}</span>
      <IconChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
