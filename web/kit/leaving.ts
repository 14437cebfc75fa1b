import { useEffect, useState } from 'react'
import { useUnsavedChanges } from '#web/foundation/unsavedChanges.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { translate } from '#web/i18n/useTranslate.ts'
import { confirm } from './DialogHost.tsx'

/** Leaves at once while nothing is changed, else when the person does not want the changes any more. */
export function useLeaving(texts: { question: PlainKey; verb: PlainKey }) {
  const [isChanged, setChanged] = useState(false)
  useEffect(() => {
    if (!isChanged) return undefined
    const add = (more: number) => useUnsavedChanges.setState(({ count }) => ({ count: count + more }))
    add(1)
    return () => add(-1)
  }, [isChanged])
  const leave = (onLeave: () => void): void => {
    if (!isChanged) return onLeave()
    const question = { title: translate(texts.question), verb: translate(texts.verb), danger: true }
    void confirm(question).then(confirmed => {
      if (!confirmed) return
      setChanged(false)
      onLeave()
    })
  }
  return { leave, setChanged }
}
