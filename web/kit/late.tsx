import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { reportFailure } from '#web/foundation/failures.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'

type OfLate = {
  /** What stands there meanwhile. */
  instead?: ReactNode
  /** False while it is only made ready: then nobody is told that it is missing. */
  wanted?: boolean
  /** It cannot be fetched, which the person has been told: what was to be opened is closed, so that it can be tried again. */
  onMissing(): void
}

export type Late<P> = ComponentType<P & OfLate> & {
  /** Makes it ready. */
  prepare(): Promise<unknown>
}

/** A part that is fetched when it is first used. Not React's lazy: there, what cannot be fetched once is missing for good, and takes the page along. */
export function late<P extends object>(load: () => Promise<ComponentType<P>>): Late<P> {
  let Part: ComponentType<P> | null = null
  const prepare = async () => {
    Part = await fetchModule(load)
  }

  function LatePart({ instead = null, wanted = true, onMissing, ...props }: P & OfLate) {
    const [, setThere] = useState(Part !== null)
    const tell = useEffectEvent((error: unknown) => {
      reportFailure(error)
      onMissing()
    })
    useEffect(() => {
      let left = false
      const there = Part === null ? prepare() : Promise.resolve()
      there.then(
        () => {
          if (!left) setThere(true)
        },
        (error: unknown) => {
          if (!left && wanted) tell(error)
        },
      )
      return () => {
        left = true
      }
    }, [wanted])
    return Part === null ? instead : <Part {...(props as P)} /> // all that is not of `OfLate` is of P
  }
  return Object.assign(LatePart, { prepare })
}
