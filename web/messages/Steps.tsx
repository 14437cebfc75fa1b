import { type ComponentType, useEffect, useState } from 'react'
import { loadToolNames } from '#web/sources/list/list.ts'
import { PlainFallback } from './PlainText.tsx'
import type { StepGroupProps } from './StepGroup.tsx'

let StepGroup: ComponentType<StepGroupProps> | null = null

/** Loads the code of steps, which most conversations do not have, together with the messages of one that has. */
export async function loadSteps(): Promise<void> {
  const names = loadToolNames()
  const module = await import('./StepGroup.tsx')
  await names
  StepGroup ??= module.StepGroup
}

/** The steps of tools between two texts. If they cannot be rendered, their JSON is shown. */
export function Steps(props: StepGroupProps) {
  return (
    <PlainFallback
      text={() =>
        JSON.stringify(
          props.steps.flatMap(step => step.messages),
          null,
          2,
        )
      }
    >
      <LoadedSteps {...props} />
    </PlainFallback>
  )
}

function LoadedSteps(props: StepGroupProps) {
  // React.lazy renders nothing at first even when the code is loaded, and the message to scroll to may be in it.
  const [isLoaded, setLoaded] = useState(StepGroup !== null)
  useEffect(() => {
    if (!isLoaded)
      loadSteps().then(
        () => setLoaded(true),
        (error: unknown) =>
          setLoaded(() => {
            throw error
          }),
      )
  }, [isLoaded])
  return StepGroup !== null && <StepGroup {...props} />
}
