import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { DECLARED_SETTINGS, variableNames, describe as described, type Described } from './declared.ts'

const ADDRESS = 'https://a.example/v2/'
const OTHERS = [undefined, NaN, Infinity, 10n, Symbol('x'), new Date(0), () => 1]

type Cases = { right: unknown[]; wrong: unknown[] }

/** Values at, below and above what a schema's description says. */
function casesOf(schema: Described): Cases {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null')
  if (inner !== undefined) {
    const { right, wrong } = casesOf(inner)
    return { right: [...right, null], wrong: wrong.filter(value => value !== null) }
  }
  const { right, wrong } = plainCases(schema)
  return { right, wrong: [...wrong, null, ...OTHERS] }
}

function plainCases(schema: Described): Cases {
  const { type, items, additionalProperties, properties } = schema
  if (schema.enum !== undefined) return { right: schema.enum, wrong: ['', `${schema.enum[0]} `, 1, true] }
  if (type === 'boolean') return { right: [true, false], wrong: ['true', 1, 0, '', {}, []] }
  if (type === 'integer') return integers(schema)
  if (type === 'array' && items !== undefined) return lists(schema, casesOf(items))
  if (additionalProperties !== undefined) return mappings(casesOf(additionalProperties))
  if (properties !== undefined) return groups(properties)
  return texts(schema)
}

function integers({ minimum = 0, maximum = 0 }: Described): Cases {
  return {
    right: [minimum, minimum + 1, maximum],
    wrong: [minimum - 1, maximum + 1, minimum + 0.5, String(minimum), true, [minimum], {}],
  }
}

function texts({ minLength = 0, maxLength, pattern }: Described): Cases {
  const base = textLike(pattern ?? '') ?? 'a'.repeat(minLength || 1)
  const isPadded = maxLength !== undefined && !pattern?.endsWith('v2\\/$')
  const long = isPadded ? [base.padEnd(maxLength, 'a')] : []
  const tooLong = isPadded ? [base.padEnd(maxLength + 1, 'a')] : []
  return { right: [base, ...long], wrong: [...tooLong, ...(minLength > 0 ? [''] : []), 5, true, {}, [base]] }
}

function textLike(pattern: string): string | null {
  if (pattern.startsWith('^https?')) return ADDRESS
  if (pattern.startsWith('^(?:https')) return new URL(ADDRESS).origin
  return pattern.includes('[0-5]') ? '09:30:00' : null
}

function lists({ maxItems }: Described, { right: [item], wrong }: Cases): Cases {
  const many = (count: number) => Array.from({ length: count }, () => item)
  const bounds =
    maxItems === undefined ? { right: [], wrong: [] } : { right: [many(maxItems)], wrong: [many(maxItems + 1)] }
  return {
    right: [[], [item], ...bounds.right],
    wrong: [...wrong.map(value => [item, value]), ...bounds.wrong, 'a', 1, {}, { 0: item }],
  }
}

function mappings({ right: [value], wrong }: Cases): Cases {
  const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`code_${at}`, value]))
  return {
    right: [{}, of(1), of(200)],
    wrong: [...wrong.map(each => ({ code: each })), { '': value }, { 'no code': value }, of(201), 'a', 1, [value]],
  }
}

function groups(properties: Record<string, Described>): Cases {
  const parts = Object.entries(properties).map(([name, schema]) => ({ name, ...casesOf(schema) }))
  const whole = Object.fromEntries(parts.map(({ name, right }) => [name, right[0]]))
  return {
    right: [whole],
    wrong: [
      'a',
      [],
      ...parts.flatMap(({ name, wrong }) =>
        wrong.filter(value => value !== undefined).map(value => ({ ...whole, [name]: value })),
      ),
    ],
  }
}

describe('a setting', () => {
  test('is one of many, with a path and a variable of its own', () => {
    expect(DECLARED_SETTINGS.length).toBeGreaterThan(70)
    for (const names of [DECLARED_SETTINGS.map(({ path }) => path), DECLARED_SETTINGS.flatMap(variableNames)])
      expect(new Set(names).size).toBe(names.length)
  })
  test.each(DECLARED_SETTINGS.map(setting => [setting.path, setting] as const))(
    '%s takes what is within its bounds and nothing else',
    (_path, { schema, fallback }) => {
      const { right, wrong } = casesOf(described(schema))
      const takes = (value: unknown) => z.safeParse(schema, value).success
      expect([...right, fallback].filter(value => !takes(value))).toEqual([])
      expect(wrong.filter(takes)).toEqual([])
    },
  )
})
