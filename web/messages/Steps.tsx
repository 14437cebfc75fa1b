import { type ComponentType, useEffect, useState } from 'react'
import { PlainFallback } from './PlainFallback.tsx'
import type { StepGroupProps } from './StepGroup.tsx'

let StepGroup: ComponentType<StepGroupProps> | null = null

/** Most conversations have no steps; who opens one that has, waits for this together with its messages. */
export async function loadSteps(): Promise<void> {
  StepGroup ??= (await import('./StepGroup.tsx')).StepGroup
}

/** What tools did between two texts. Where it cannot be drawn, it is shown as it came. */
export function Steps(props: StepGroupProps) {
  return (
    <PlainFallback text={() => JSON.stringify(props.steps.flatMap(step => step.messages), null, 2)}>
      <LoadedSteps {...props} />
    </PlainFallback>
  )
}

function LoadedSteps(props: StepGroupProps) {
  // Not React's lazy, which draws nothing at first even when all is there, and what is looked for may be in it.
  const [isLoaded, setLoaded] = useState(StepGroup !== null)
  useEffect(() => {
    if (!isLoaded) loadSteps().then(() => setLoaded(true), (error: unknown) => setLoaded(() => { throw error }))
  }, [isLoaded])
  return StepGroup !== null && <StepGroup {...props} />
}
