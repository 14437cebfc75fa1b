import { type ReactNode, useEffect } from 'react'
import { create } from 'zustand'

type HeaderContent = {
  /** First in the header: the button that opens the drawer, on a screen without room for its left side. */
  menu: ReactNode
  /** Title and actions. On a small screen they replace the product's name. */
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

/** The title of what is open, if it has one. */
export const useOpenTitle = create<{ title: string | null }>(() => ({ title: null }))

/** Sets the document title after what is open, as long as the caller is mounted. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    useOpenTitle.setState({ title })
    return () => useOpenTitle.setState({ title: null })
  }, [title])
}
