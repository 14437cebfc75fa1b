import { useSyncExternalStore } from 'react'
import type { TextFeed } from './textFeed.ts'

export function useFinished(feed: TextFeed): boolean {
  return useSyncExternalStore(feed.subscribe, () => feed.done, () => feed.done)
}
