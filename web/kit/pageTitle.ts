import { useEffect } from 'react'
import { create } from 'zustand'

/** The title of what is open, if it has one. */
export const useOpenTitle = create<{ title: string | null }>(() => ({ title: null }))

/** Sets the document title after what is open, as long as the caller is mounted. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    useOpenTitle.setState({ title })
    return () => useOpenTitle.setState({ title: null })
  }, [title])
}
