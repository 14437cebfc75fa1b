import { type ReactNode, useState } from 'react'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { blankRanges } from './blankRanges.ts'
import { NO_PROMPT, type PromptDraft, type PromptState, useInsertedPrompts } from './promptState.ts'

const Prompts = lazyComponent(() =>
  Promise.all([import('./Prompts.tsx'), loadTexts('instructions')]).then(([module]) => module.Prompts),
)

const STARTS = /^[/／]/m

/**
 * The prompts of a composer. Nothing of them is loaded before a line starts with a slash. `holds`: sending waits until
 * blanks are filled in.
 */
export function usePromptSlot(draft: PromptDraft): PromptState & { holds: boolean; menu: ReactNode } {
  const { conversation, text } = draft
  const [state, setState] = useState(NO_PROMPT)
  const [isWanted, setWanted] = useState(false)
  const inserted = useInsertedPrompts(all => all[conversation])
  if (!isWanted && (inserted !== undefined || STARTS.test(text))) setWanted(true)
  const menu = isWanted && (
    <Prompts key={conversation} draft={draft} onState={setState} onLoadError={() => setWanted(false)} />
  )
  return { ...state, holds: blankRanges(text, inserted?.required ?? []).length > 0, menu }
}
