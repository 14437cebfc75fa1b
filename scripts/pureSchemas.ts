import type { Plugin } from 'vite'

const DECLARATIONS = /[\\/]contract[\\/](?:configuration[\\/])?[^\\/]+\.ts$/
/** A schema at the beginning of an expression: not one inside another, nor one that a comment mentions. */
const MADE = /(?<![\w.`])(?:z(?:\.\w+)+|setting)\(/g

/**
 * Tree shaking for schemas: marks each as free of side effects, so that the page contains only those that its calls use. zod marks its
 * functions; the checks chained to them it cannot mark.
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
