import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has Chromium compile the functions of the named chunks beside the page while they arrive, and not each when it is first called, which
 * keeps the page waiting. For chunks most of which runs before their screen is there.
 */
export function compiledAtOnce(...names: string[]): Plugin {
  return {
    name: 'compiled-at-once',
    enforce: 'post',
    // It counts in the first line only, before which the build puts the list of what is fetched beside a chunk.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && names.includes(file.name)) file.code = HINT + file.code
      },
    },
  }
}
