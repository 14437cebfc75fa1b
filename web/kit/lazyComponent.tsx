import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { fetchModule, reportFailure } from '#web/foundation/failures.ts'
import type { Area } from '#web/i18n/dictionary.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'

type LazyProps = {
  /** Shown while it loads. */
  fallback?: ReactNode
  /** False while it is only loaded ahead: then a failure is not reported. */
  needed?: boolean
  /**
   * Called after a failure to load, which has been reported. The caller closes what it wanted to open, so that the
   * person can try again.
   */
  onLoadError(): void
}

export type LazyComponent<P> = ComponentType<P & LazyProps> & { preload(): Promise<unknown> }

/**
 * A component that is loaded at its first use. Unlike React's `lazy` it can be tried again, and a failure does not take
 * the page down.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  let Loaded: ComponentType<P> | null = null
  const preload = async () => {
    Loaded = await fetchModule(load)
  }

  function Lazy({ fallback = null, needed = true, onLoadError, ...props }: P & LazyProps) {
    const [, setLoaded] = useState(Loaded !== null)
    const report = useEffectEvent((error: unknown) => {
      reportFailure(error)
      onLoadError()
    })
    useEffect(() => {
      let unmounted = false
      const loading = Loaded === null ? preload() : Promise.resolve()
      loading.then(
        () => {
          if (!unmounted) setLoaded(true)
        },
        (error: unknown) => {
          if (!unmounted && needed) report(error)
        },
      )
      return () => {
        unmounted = true
      }
    }, [needed])
    return Loaded === null ? fallback : <Loaded {...(props as P)} /> // all props but LazyProps are those of P
  }
  return Object.assign(Lazy, { preload })
}

/** The same with the texts of an area, of which nothing is part of the first load. */
export const lazyWithTexts = <P extends object>(area: Area, load: () => Promise<ComponentType<P>>): LazyComponent<P> =>
  lazyComponent(() => Promise.all([load(), loadTexts(area)]).then(([component]) => component))
