import * as z from 'zod/mini'
import type { Shape } from './jsonSchema.ts'
import type { Random } from './random.ts'

/** Texts of the kinds that calls accept. Addresses are loopback or invalid, because some of them are requested. */
const PLAUSIBLE = [
  'text',
  'lin',
  'admin',
  'correct-horse-7',
  'lin@example.org',
  '1',
  '2',
  '100',
  '00:00:00',
  '23:59:59',
  '2026-01-01T00:00:00Z',
  'gpt_4',
  'gpt_3_5',
  'openai_api',
  'openai_web',
  'true',
  'false',
  'zh-CN',
  'http://127.0.0.1:9/v1/',
  'https://[::1]/',
  'UTC',
  'Asia/Shanghai',
  'hello 你好',
  ':continue',
  '00000000-0000-4000-8000-000000000000',
  'file-abc',
]

/** Texts that often break programs. */
const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  'a\r\nSet-Cookie: x=1',
  '\u202Egnirts',
  '\uD800',
  'x\uDC00y',
  '😀'.repeat(40),
  "'; drop table users; --",
  '"',
  '\\',
  '%',
  '%s%n',
  '../../etc/passwd',
  '..\\..\\x',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(30),
  '0x10',
  '１２',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'a'.repeat(300),
  '中'.repeat(3000),
  '\uFEFF',
  '\u2028',
  'ﷺ',
  'İ',
  'ß',
  'ａｄｍｉｎ',
]
const ODD_NUMBERS = [0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324]
const ODD_VALUES: unknown[] = [null, true, false, [], {}, [[]], [null], { length: 1 }, { toString: 1 }, 'text', 0]

/**
 * Generates values for a schema, most of them valid, and spoils bodies. `extra` are texts of this run, such as existing
 * ids.
 */
export function randomInput(random: Random, extra: readonly string[] = []) {
  const texts = [...PLAUSIBLE, ...extra, ...extra, ...extra]

  function textFor({ pattern, format, minLength = 0, maxLength = Infinity }: Shape): string {
    const fits = (text: string) =>
      (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
      (format !== 'uuid' || /^[0-9a-f-]{36}$/.test(text)) &&
      text.length >= minLength &&
      text.length <= maxLength
    if (random.percent(15)) return random.of(NASTY)
    const fitting = texts.filter(fits)
    return fitting.length > 0 ? random.of(fitting) : random.of(texts)
  }

  function numberFor({ type, minimum = -1000, maximum = 1000 }: Shape): number {
    if (random.percent(15)) return random.of([...ODD_NUMBERS, minimum - 1, minimum, maximum, maximum + 1])
    const number = minimum + random.next() * (maximum - minimum)
    return type === 'integer' ? Math.round(number) : number
  }

  function objectFor(
    { properties = {}, required = [], additionalProperties }: Shape,
    depth: number,
  ): Record<string, unknown> {
    const entries = Object.entries(properties)
      .filter(([name]) => (required.includes(name) ? !random.percent(3) : random.percent(60)))
      .map(([name, shape]): [string, unknown] => [name, valueFor(shape, depth + 1)])
    if (typeof additionalProperties === 'object') {
      for (let more = random.below(3); more > 0; more--)
        entries.push([random.of(texts), valueFor(additionalProperties, depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  function valueFor(shape: Shape, depth = 0): unknown {
    if (random.percent(4)) return random.of(ODD_VALUES)
    if ('const' in shape) return shape.const
    if (shape.enum !== undefined) return random.percent(95) ? random.of(shape.enum) : random.of(NASTY)
    const choices = shape.anyOf ?? shape.oneOf
    if (choices !== undefined) return valueFor(random.of(choices), depth)
    const [first] = shape.allOf ?? []
    if (first !== undefined) return valueFor({ ...first, ...shape, allOf: undefined }, depth)
    switch (Array.isArray(shape.type) ? random.of(shape.type) : shape.type) {
      case 'string':
        return textFor(shape)
      case 'integer':
      case 'number':
        return numberFor(shape)
      case 'boolean':
        return random.percent(50)
      case 'null':
        return null
      case 'array':
        return Array.from({ length: random.below(4) }, () => valueFor(shape.items ?? {}, depth + 1))
      case 'object':
        return objectFor(shape, depth)
      default:
        return random.of([...ODD_VALUES, random.of(texts)])
    }
  }

  return {
    valueFor: (schema: z.ZodMiniType): unknown => valueFor(shapeOf(schema)),
    nasty: (): string => random.of(NASTY),

    /** The JSON of a value, sometimes damaged, sometimes not JSON at all. */
    spoilt(value: unknown): string {
      const text = JSON.stringify(value) ?? 'null'
      if (!random.percent(12)) return text
      switch (random.below(6)) {
        case 0:
          return text.slice(0, random.below(text.length + 1))
        case 1:
          return '['.repeat(5_000) + text + ']'.repeat(5_000)
        case 2:
          return text.replace(/[0-9]+/, '1e400')
        case 3:
          return text.replace('{', '{"__proto__":{"is_superuser":true},')
        case 4:
          return `${text}${text}`
        default:
          return random.of([
            '',
            'NaN',
            "{'a':1}",
            '\uFEFF{}',
            '{"a":"\\ud800"}',
            '{"a":"\\u0000"}',
            '{"a":1,"a":2}',
            '"',
            '[',
            '{}{}',
            '-',
            '\u0000',
          ])
      }
    },
  }
}
export type RandomInput = ReturnType<typeof randomInput>

const shapes = new WeakMap<z.ZodMiniType, Shape>()

function shapeOf(schema: z.ZodMiniType): Shape {
  let shape = shapes.get(schema)
  if (shape === undefined) {
    // read as far as it is known above
    shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape
    shapes.set(schema, shape)
  }
  return shape
}
