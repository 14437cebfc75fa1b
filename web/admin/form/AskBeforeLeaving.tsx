import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useUnsavedChanges } from '#web/foundation/unsavedChanges.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'

/**
 * While there are unsaved changes, going to another row or page, or closing the tab, asks for confirmation. Where they
 * are being saved meanwhile, one goes on as soon as they are.
 */
export function AskBeforeLeaving({ count }: { count: number }) {
  const t = useTranslate()
  const isUnsaved = count > 0
  const saved = useRef(new AbortController())
  useEffect(() => {
    if (!isUnsaved) return
    saved.current = new AbortController()
    return () => saved.current.abort()
  }, [isUnsaved])
  useEffect(() => {
    useUnsavedChanges.setState({ count })
    return () => useUnsavedChanges.setState({ count: 0 })
  }, [count])
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && openedIn(current.search) === openedIn(next.search)) return false
      const question = {
        title: t('drawer.leave', { count }),
        text: t('drawer.leaveText'),
        verb: t('drawer.leaveVerb'),
        danger: true,
        cancel: t('drawer.stay'),
      }
      return !(await confirm(question, saved.current.signal))
    },
  })
  return null
}

function openedIn(search: unknown): unknown {
  return typeof search === 'object' && search !== null && 'open' in search ? search.open : undefined
}
