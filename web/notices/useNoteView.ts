import { useEffect, useRef } from 'react'

/**
 * Says, while an answer is awaited in the open conversation, that it is in view, so that no browser of the person tells
 * of it. When it ends behind another window, the title of the page says so.
 */
export function useNoteView(conversation_id: string | null, isAwaited: boolean): void {
  const watched = useRef<string | null>(null)
  useEffect(() => {
    if (conversation_id === null) return undefined
    if (!isAwaited) {
      if (watched.current === conversation_id) load(({ markTitle }) => markTitle())
      watched.current = null
      return undefined
    }
    watched.current = conversation_id
    let leave: (() => void) | null = null
    let isOver = false
    load(({ watchView }) => {
      if (!isOver) leave = watchView(conversation_id)
    })
    return () => {
      isOver = true
      leave?.()
    }
  }, [conversation_id, isAwaited])
}

/** Another build of the page may have no such file any more: then there is one notice more. */
function load(use: (module: typeof import('./view.ts')) => void): void {
  import('./view.ts').then(use).catch(() => null)
}
