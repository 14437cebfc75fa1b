import type { Call } from '#contract/call.ts'
import { REFUSALS } from '#contract/refusals.ts'
import type { Source } from './sources.ts'
import { settingsReadBy } from './readSettings.ts'
import { isTest, sourcesOf, visit } from './sources.ts'

const contract = import.meta.glob(['../contract/*.ts', '!**/*.test.ts'], { eager: true })

/** Every export of contract/ that has the shape of a call, by its name. */
export function declaredCalls(): Map<string, Call> {
  // a module is an object of its exports
  const exported = Object.entries(contract).flatMap(([, module]) => Object.entries(module as Record<string, unknown>))
  return new Map(exported.filter((entry): entry is [string, Call] => isCall(entry[1])))
}

/** The names of the calls that the server's code gives to `answer`. */
export function answeredCalls(): Set<string> {
  const names = new Set<string>()
  for (const source of serverCode()) {
    visit(source, {
      CallExpression: ({ callee, arguments: [first] }) => {
        const name =
          callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
            ? callee.property.name
            : callee.type === 'Identifier'
              ? callee.name
              : ''
        if (name === 'answer' && first?.type === 'Identifier') names.add(first.name)
      },
    })
  }
  return names
}

/** The refusals whose key stands in the server's code. */
export function raisedRefusals(): Set<string> {
  return keysIn(serverCode(), Object.keys(REFUSALS))
}

/**
 * Keys of texts that are used: those that stand in the code of the page or the contract, and those of refusals, which
 * the server names.
 */
export function shownTexts(keys: readonly string[]): Set<string> {
  const written = keysIn(
    sourcesOf('web', 'contract').filter(source => !isTest(source) && !source.path.startsWith('web/i18n/')),
    keys,
  )
  return written.union(new Set(Object.keys(REFUSALS).flatMap(key => [`errors.${key}`, `errors.${key}.detailed`])))
}

/** The keys that code contains: whole, or as the beginning of a template such as `errors.${key}`. */
function keysIn(sources: readonly Source[], keys: readonly string[]): Set<string> {
  const written = new Set<unknown>()
  const starts = new Set<string>()
  for (const source of sources) {
    visit(source, {
      Literal: ({ value }) => void written.add(value),
      TemplateLiteral: ({ quasis: [first] }) => {
        const start = first?.value.cooked ?? ''
        if (start.endsWith('.')) starts.add(start)
      },
    })
  }
  return new Set(keys.filter(key => written.has(key) || starts.values().some(start => key.startsWith(start))))
}

/** The settings that the server's code reads, as 'http.port'. */
export function readSettings(): Set<string> {
  return new Set(serverCode().flatMap(source => [...settingsReadBy(source)]))
}

function serverCode(): Source[] {
  return sourcesOf('server').filter(source => !isTest(source))
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'result' in value
}
