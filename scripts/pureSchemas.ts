import type { Plugin } from 'vite'

const DECLARATIONS = /[\\/]contract[\\/](?:configuration[\\/])?[^\\/]+\.ts$/
/** At the beginning of an expression, not within one, nor in what a comment names. */
const MADE = /(?<![\w.`])(?:z(?:\.\w+)+|setting)\(/g

/**
 * The contract declares each call of the product, and the page is given those it makes: a schema that nothing else names is left out of it.
 * That making one does nothing else, the build has to be told of each; zod says it of its functions, not of the checks that are added to them.
 */
export function pureSchemas(): Plugin {
  return {
    name: 'pure-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: DECLARATIONS },
      handler: code => code.replaceAll(MADE, made => `/* @__PURE__ */ ${made}`),
    },
  }
}
