import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { create } from 'zustand'

type HeaderContent = {
  /** Opens the drawer of a screen that has no room for its own left side; before everything else. */
  menu: ReactNode
  /** On the left of the middle: title and actions. Where there is little room it takes the place of the product's name. */
  content: ReactNode
}

const EMPTY: HeaderContent = { menu: null, content: null }

/** What the screen in view puts into the header. */
export const useHeaderContent = create<HeaderContent>(() => EMPTY)

/** Fills its part of the header as long as the caller is mounted. */
export function useHeaderSlot(content: ReactNode, menu: ReactNode = null): void {
  useEffect(() => useHeaderContent.setState({ menu, content }), [menu, content])
  useEffect(() => () => useHeaderContent.setState(EMPTY), [])
}
