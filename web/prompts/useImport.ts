import { useState } from 'react'
import { createPrompt, MAX_PROMPTS, type Prompt } from '#contract/prompts.ts'
import { call } from '#web/foundation/call.ts'
import { failureText } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { missingPrompts, readPromptFile, type UnreadablePrompts } from './promptFile.ts'
import { promptsQuery } from './prompts.ts'

type Outcome = { tone: 'green' | 'red'; text: string; why: string | null }

/** Takes the prompts of a file to one's own, and says what has become of them. */
export function useImport(own: readonly Prompt[]) {
  const t = useTranslate()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [pending, setPending] = useState(false)
  const take = async (file: File) => {
    setPending(true)
    setOutcome(await takeFile(file, own, t))
    await queryClient.invalidateQueries(promptsQuery)
    setPending(false)
  }
  return { outcome, pending, take }
}

async function takeFile(file: File, own: readonly Prompt[], t: Translate): Promise<Outcome> {
  let count = 0
  try {
    const read = await readPromptFile(file)
    if ('why' in read) return { tone: 'red', text: t('prompts.notImported'), why: whyText(read, t) }
    const missing = missingPrompts(read, own)
    for (const body of missing) {
      await call(createPrompt, { body })
      count += 1
    }
    const known = read.length - missing.length
    const text = known === 0 ? t('prompts.imported', { count }) : t('prompts.importedSome', { count, known })
    return { tone: 'green', text, why: null }
  } catch (error) {
    return { tone: 'red', text: t('prompts.stopped', { count }), why: failureText(error) }
  }
}

function whyText(read: UnreadablePrompts, t: Translate): string {
  switch (read.why) {
    case 'tooLarge':
      return t('prompts.fileTooLarge')
    case 'notPrompts':
      return t('prompts.fileNotPrompts')
    case 'tooMany':
      return t('prompts.fileTooMany', { most: MAX_PROMPTS })
    case 'wrongPrompt':
      return t('prompts.fileWrongPrompt', { at: read.at })
  }
}
