import { type ReactNode, useState } from 'react'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { NO_PROMPT, type PromptDraft, type PromptState, useInsertedPrompts } from './promptState.ts'

const Prompts = lazyComponent(() =>
  Promise.all([import('./Prompts.tsx'), loadTexts('instructions')]).then(([module]) => module.Prompts),
)

const STARTS = /^[/／]/m

/** The prompts of a composer. Nothing of them is loaded before a line starts with a slash. */
export function usePromptSlot(draft: PromptDraft): PromptState & { menu: ReactNode } {
  const { conversation, text } = draft
  const [state, setState] = useState(NO_PROMPT)
  const [isWanted, setWanted] = useState(false)
  const isInserted = useInsertedPrompts(all => conversation in all)
  if (!isWanted && (isInserted || STARTS.test(text))) setWanted(true)
  const menu = isWanted && (
    <Prompts key={conversation} draft={draft} onState={setState} onLoadError={() => setWanted(false)} />
  )
  return { ...state, menu }
}
