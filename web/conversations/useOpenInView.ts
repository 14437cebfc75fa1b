import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls the row of the open conversation into view when another one is opened, or when its row appears. Not after a click on the
 * row: it must not move away from under the second click, which renames.
 */
export function useOpenInView(list: RefObject<HTMLElement | null>, open: string | null, isListed: boolean): void {
  const clicked = useRef<string | null>(null)
  useEffect(() => {
    const box = list.current
    const remember = ({ target }: MouseEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-conversation-id]') : null
      clicked.current = row?.dataset['conversationId'] ?? null
    }
    box?.addEventListener('click', remember)
    return () => box?.removeEventListener('click', remember)
  }, [list])
  useEffect(() => {
    if (isListed && clicked.current !== open)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    clicked.current = null
  }, [list, open, isListed])
}
