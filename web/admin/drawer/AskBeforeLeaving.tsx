import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUnsavedChanges } from '#web/foundation/unsavedChanges.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'

/** While there are unsaved changes, going to another row or page, or closing the tab, asks for confirmation. */
export function AskBeforeLeaving({ count }: { count: number }) {
  const t = useTranslate()
  useEffect(() => {
    useUnsavedChanges.setState({ count })
    return () => useUnsavedChanges.setState({ count: 0 })
  }, [count])
  useBlocker({
    disabled: count === 0,
    enableBeforeUnload: count > 0,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && openedIn(current.search) === openedIn(next.search)) return false
      return !(await confirm({
        title: t('drawer.leave', { count }),
        text: t('drawer.leaveText'),
        verb: t('drawer.leaveVerb'),
        danger: true,
        cancel: t('drawer.stay'),
      }))
    },
  })
  return null
}

function openedIn(search: unknown): unknown {
  return typeof search === 'object' && search !== null && 'open' in search ? search.open : undefined
}
