import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { blankRanges } from './blankRanges.ts'
import { putIn } from './blanks.ts'
import { type Anchor, fieldOf, replaceIn, select, useKeys } from './field.ts'
import { PromptMenu, rowId } from './PromptMenu.tsx'
import { NO_PROMPT, type PromptDraft, type PromptState } from './promptState.ts'
import { finishDraft, keepInserted, useBlanks } from './useBlanks.ts'
import { type MenuRow, usePromptRows } from './usePromptRows.ts'
import { useSlash } from './useSlash.ts'

const PromptDialog = lazyComponent(() => import('./PromptDialog.tsx').then(module => module.PromptDialog))
const OwnPromptsDialog = lazyComponent(() => import('./OwnPromptsDialog.tsx').then(module => module.OwnPromptsDialog))

type PromptsProps = { draft: PromptDraft; onState(state: PromptState): void }
type OpenDialog = { shows: 'own' } | { shows: 'new'; text: string }

/** What prompts add to the composer: the menu of a slash, the blanks of what is put in, and the dialogs. */
export function Prompts({ draft, onState }: PromptsProps) {
  const anchor = useRef<HTMLDivElement>(null)
  const menuId = useId()
  const { slash, dismiss } = useSlash(anchor)
  const { rows, keyed } = usePromptRows(slash)
  const blanks = useBlanks(draft)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const choose = (row: MenuRow) => {
    const field = fieldOf(anchor)
    if (field === null || slash === null) return
    const { start, query } = slash
    dismiss()
    const typed = [start, start + 1 + query.length] as const
    if (row.kind === 'prompt') return insert(row.prompt, field, typed)
    const text = replaceIn(field, typed, '').trim()
    setDialog(row.kind === 'own' ? { shows: 'own' } : { shows: 'new', text })
  }
  const insert = (prompt: Prompt, field: HTMLTextAreaElement, typed: readonly [number, number]) => {
    const { text, required, optional } = putIn(prompt)
    keepInserted(draft.conversation, { required, optional, shared: prompt.is_shared ? [prompt.id] : [] })
    replaceIn(field, typed, text)
    const [first] = blankRanges(text, [...required, ...optional])
    const [from, to] = first ?? [text.length, text.length]
    select(field, [typed[0] + from, typed[0] + to])
  }
  useKeys(anchor, (event, field) => {
    const key = rows === null ? null : keyed(event)
    if (key === null) return rows === null && blanks.keyed(event, field)
    if (key === 'close') dismiss()
    else if (key !== 'moved') choose(key)
    return true
  })
  usePressedBlanks(anchor, blanks.pressed)
  useMarkedField(anchor, rows === null ? null : menuId, rows?.active ?? -1)
  useReportedState(draft.conversation, { isChoosing: (rows?.active ?? -1) >= 0, ...blanks }, onState)
  return (
    <div ref={anchor}>
      {rows !== null && <PromptMenu id={menuId} query={slash?.query ?? ''} rows={rows} onChoose={choose} />}
      {dialog?.shows === 'new' && <PromptDialog text={dialog.text} onClose={close} onLoadError={close} />}
      {dialog?.shows === 'own' && <OwnPromptsDialog onClose={close} onLoadError={close} />}
    </div>
  )
}

/** A press on a blank selects it, so that typing replaces it: where there is no Tab, nothing else does. */
function usePressedBlanks(anchor: Anchor, onPress: (field: HTMLTextAreaElement) => void): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const field = fieldOf(anchor)
    if (field === null) return undefined
    const onClick = () => press(field)
    field.addEventListener('click', onClick)
    return () => field.removeEventListener('click', onClick)
  }, [anchor])
}

/** Says in the field which menu belongs to it, and which row of it is meant. */
function useMarkedField(anchor: Anchor, menuId: string | null, active: number): void {
  useEffect(() => {
    const field = fieldOf(anchor)
    if (field === null || menuId === null) return undefined
    field.setAttribute('aria-controls', menuId)
    field.setAttribute('aria-autocomplete', 'list')
    if (active >= 0) field.setAttribute('aria-activedescendant', rowId(menuId, active))
    return () => {
      for (const name of ['aria-controls', 'aria-autocomplete', 'aria-activedescendant']) field.removeAttribute(name)
    }
  }, [anchor, menuId, active])
}

type Shown = { isChoosing: boolean; requiredLeft: number; optionalLeft: number }

function useReportedState(conversation: string, shown: Shown, onState: (state: PromptState) => void): void {
  const t = useTranslate()
  const { isChoosing, requiredLeft, optionalLeft } = shown
  const report = useEffectEvent(onState)
  // Where there is no keyboard, keys are nothing to tell of.
  const hasKeys = window.matchMedia('(hover: hover)').matches
  const blanksHint =
    requiredLeft > 0
      ? t(hasKeys ? 'prompts.left' : 'prompts.leftToTouch', { count: requiredLeft })
      : optionalLeft > 0
        ? t(hasKeys ? 'prompts.optionalLeft' : 'prompts.optionalLeftToTouch', { count: optionalLeft })
        : null
  const hint = isChoosing ? (hasKeys ? t('prompts.keys') : null) : blanksHint
  useEffect(() => {
    report({ hint, finish: text => finishDraft(conversation, text) })
  }, [conversation, hint])
  useEffect(() => () => report(NO_PROMPT), [])
}
