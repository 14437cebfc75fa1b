import { useEffect, useRef } from 'react'

type Sending = { text: string; isLoading: boolean; maySend: boolean; onSend(text: string): void }

/**
 * Sends, or holds what was sent before it is known with which model: then it goes as soon as that is known, unless the
 * text has been changed meanwhile. Whoever types at once must not press the key twice.
 */
export function useHeldSend({ text, isLoading, maySend, onSend }: Sending): () => void {
  const held = useRef<string | null>(null)
  useEffect(() => {
    if (held.current === null || isLoading) return
    const wanted = held.current
    held.current = null
    if (maySend && wanted === text) onSend(wanted)
  }, [isLoading, maySend, text, onSend])
  return () => {
    if (maySend) onSend(text)
    else if (isLoading && text.trim() !== '') held.current = text
  }
}
