import type { Plugin } from 'vite'

const OF_KIT = /@mantine[\\/]hooks[\\/]esm[\\/]use-id[\\/]use-id\.mjs$/
const OWN = `import { useId as ofReact } from 'react'
export function useId(given) {
  const own = ofReact()
  return typeof given === 'string' ? given : own
}
`

/**
 * Replaces the kit's useId by React's. The kit's own sets another id in its first layout effect, for server rendering: each field was
 * rendered twice, and all first effects ran in the task that mounts the page.
 */
export function kitIds(): Plugin {
  let found = false
  return {
    name: 'kit-ids',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    load: {
      filter: { id: OF_KIT },
      handler: () => {
        found = true
        return OWN
      },
    },
    buildEnd(error) {
      if (error === undefined && !found) throw new Error('the kit has its useId in another file now: scripts/kitIds.ts')
    },
  }
}
