import { useEffect } from 'react'
import { create } from 'zustand'

/** What is open on the page in view, where that has a title of its own. */
export const useOpenTitle = create<{ title: string | null }>(() => ({ title: null }))

/** Titles the page after what is open, as long as the caller is mounted. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    useOpenTitle.setState({ title })
    return () => useOpenTitle.setState({ title: null })
  }, [title])
}
