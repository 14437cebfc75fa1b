import { type ReactNode, useEffect } from 'react'
import { create } from 'zustand'

type HeaderContent = {
  /** First in the header: on a narrow screen, the button of the side drawer. */
  menu: ReactNode
  /** Title and actions. On a small screen they replace the product's name. */
  content: ReactNode
}

const EMPTY: HeaderContent = { menu: null, content: null }

/** What the current screen puts into the header. */
export const useHeaderContent = create<HeaderContent>(() => EMPTY)

/** Sets it as long as the caller is mounted. */
export function useHeaderSlot(content: ReactNode, menu: ReactNode = null): void {
  useEffect(() => useHeaderContent.setState({ menu, content }), [menu, content])
  useEffect(() => () => useHeaderContent.setState(EMPTY), [])
}

/** The title of the open conversation, if it has one. */
export const useOpenTitle = create<{ title: string | null }>(() => ({ title: null }))

/** Sets it as long as the caller is mounted; the document's title follows. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    useOpenTitle.setState({ title })
    return () => useOpenTitle.setState({ title: null })
  }, [title])
}
