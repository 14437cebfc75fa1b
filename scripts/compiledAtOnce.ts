import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Adds a hint that makes Chromium compile all functions of the named chunks in the background while they arrive, instead of each at its
 * first call, which blocks the page. For chunks most of which runs before the screen is shown.
 */
export function compiledAtOnce(...names: string[]): Plugin {
  return {
    name: 'compiled-at-once',
    enforce: 'post',
    // The hint must be the first line, so it is added after the build has put its list of preloads there.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && names.includes(file.name)) file.code = HINT + file.code
      },
    },
  }
}
