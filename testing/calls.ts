import type { Call } from '#contract/call.ts'

const contract = import.meta.glob<Record<string, unknown>>(['../contract/**/*.ts', '!**/*.test.ts'], { eager: true })

/** All calls of the contract, by name. */
function declaredCalls(): Map<string, Call> {
  const exported = Object.values(contract).flatMap(module => Object.entries(module))
  return new Map(exported.filter((entry): entry is [string, Call] => isCall(entry[1])))
}

/** The calls that a server answers. */
export function answeredCalls(answered: ReadonlySet<string>): { name: string; call: Call }[] {
  return [...declaredCalls()]
    .filter(([, call]) => answered.has(`${call.method} ${call.path}`))
    .map(([name, call]) => ({ name, call }))
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'result' in value
}
