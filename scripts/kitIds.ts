import type { Plugin } from 'vite'

const OF_KIT = /@mantine[\\/]hooks[\\/]esm[\\/]use-id[\\/]use-id\.mjs$/
const OWN = `import { useId as ofReact } from 'react'
export function useId(given) {
  const own = ofReact()
  return typeof given === 'string' ? given : own
}
`

/**
 * The kit's fields take React's ids. Its own hook gives them others in their first layout effect, for servers that render pages: each field
 * was drawn twice, and all first effects of the page ran in the one task that also puts it up.
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
