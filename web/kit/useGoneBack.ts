import { useEffect, useEffectEvent } from 'react'

/** What lies over a page goes with it when the reader goes back, or forward again. */
export function useGoneBack(onGone: () => void): void {
  const tell = useEffectEvent(onGone)
  useEffect(() => {
    const gone = () => tell()
    window.addEventListener('popstate', gone)
    return () => window.removeEventListener('popstate', gone)
  }, [])
}
