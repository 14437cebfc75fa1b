import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { create } from 'zustand'

/** What the screen in view puts into the header: on the left its title and actions, on phones a drawer button before them. */
export const useHeaderContent = create<{ content: ReactNode }>(() => ({ content: null }))

/** Fills the header's middle as long as the caller is mounted. */
export function useHeaderSlot(content: ReactNode): void {
  useEffect(() => useHeaderContent.setState({ content }), [content])
  useEffect(() => () => useHeaderContent.setState({ content: null }), [])
}
