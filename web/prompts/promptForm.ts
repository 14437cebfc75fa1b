import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { NewPrompt } from '#contract/prompts.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { PromptTexts } from './prompts.ts'

export type WrongTexts = Partial<Record<keyof PromptTexts, string>>

/** What is wrong with a prompt, by field. */
export function wrongTexts(texts: PromptTexts, t: Translate): WrongTexts {
  const wrong = new Set(NewPrompt.safeParse(texts).error?.issues.map(({ path }) => path[0]))
  return {
    ...(wrong.has('name') && { name: t('prompts.wrongName') }),
    ...(wrong.has('short_name') && { short_name: t('prompts.wrongShortName') }),
    ...((wrong.has('text') || texts.text.trim() === '') && { text: t('prompts.wrongText') }),
  }
}

/** A form of a prompt: what is typed, what is wrong with it, and one attempt to save at a time. */
export function usePromptForm<Texts extends PromptTexts>(given: Texts, save: (typed: Texts) => Promise<void>) {
  const t = useTranslate()
  const [typed, setTyped] = useState(given)
  const [wrong, setWrong] = useState<WrongTexts>({})
  const [pending, setPending] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React takes the form of a dialog for one within the composer, which would send.
    event.stopPropagation()
    const fields = event.currentTarget
    const found = wrongTexts(typed, t)
    flushSync(() => setWrong(found))
    fields.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (pending || Object.keys(found).length > 0) return
    setPending(true)
    try {
      await save(typed)
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }
  const change = (changes: Partial<Texts>) => {
    setTyped({ ...typed, ...changes })
    setWrong({})
  }
  const isChanged = JSON.stringify(typed) !== JSON.stringify(given)
  return { typed, wrong, pending, isChanged, change, submit }
}
