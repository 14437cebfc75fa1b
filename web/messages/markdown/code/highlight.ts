import type { Emitter } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import type { Highlighted, Shade, Token } from './highlightedLines.ts'
import { INSIDE, LANGUAGES } from './languages.ts'
import { idle } from '#web/foundation/idle.ts'

export { languageNamed } from './languages.ts'

const SHADES: Readonly<Record<string, Shade>> = {
  keyword: 'key',
  'meta keyword': 'key',
  literal: 'key',
  'selector-tag': 'key',
  tag: 'key',
  name: 'key',
  section: 'key',
  doctag: 'key',
  string: 'str',
  regexp: 'str',
  'template-variable': 'str',
  char: 'str',
  'selector-attr': 'str',
  link: 'str',
  addition: 'str',
  number: 'num',
  symbol: 'num',
  bullet: 'num',
  'variable.constant': 'num',
  deletion: 'num',
  title: 'fn',
  built_in: 'fn',
  type: 'fn',
  attr: 'fn',
  attribute: 'fn',
  'selector-class': 'fn',
  'selector-id': 'fn',
  property: 'fn',
  comment: 'com',
  quote: 'com',
  meta: 'com',
  prompt: 'com',
}

/** `title.function_` has the colour of `title`; a scope without a colour keeps that of the scope around it. */
function shadeOf(scope: string): Shade | undefined {
  return SHADES[scope] ?? SHADES[scope.split('.')[0] ?? '']
}

/** Collects the tokens by line, without markup. */
class LineEmitter implements Emitter {
  readonly lines: Token[][] = [[]]
  readonly #shades: (Shade | null)[] = [null]

  addText(text: string): void {
    const shade = this.#shades.at(-1) ?? null
    text.split('\n').forEach((part, at) => {
      if (at > 0) this.lines.push([])
      if (part) this.#add(part, shade)
    })
  }

  #add(text: string, shade: Shade | null): void {
    const line = this.lines.at(-1)
    const last = line?.at(-1)
    if (last?.shade === shade) line?.splice(-1, 1, { text: last.text + text, shade })
    else line?.push({ text, shade })
  }

  startScope(scope: string): void {
    this.#shades.push(shadeOf(scope) ?? this.#shades.at(-1) ?? null)
  }
  endScope(): void {
    if (this.#shades.length > 1) this.#shades.pop()
  }
  openNode(scope: string): void {
    this.startScope(scope)
  }
  closeNode(): void {
    this.endScope()
  }

  __addSublanguage(inner: Emitter): void {
    if (!(inner instanceof LineEmitter)) return
    inner.lines.forEach((line, at) => {
      if (at > 0) this.lines.push([])
      for (const { text, shade } of line) this.#add(text, shade ?? this.#shades.at(-1) ?? null)
    })
  }

  finalize(): void {}
  toHTML(): string {
    return ''
  }
}

hljs.configure({ __emitter: LineEmitter })

/** Loads a language and those that may stand inside it. */
export async function prepare(language: string): Promise<void> {
  const wanted = [language, ...(INSIDE[language] ?? [])].filter(name => !hljs.getLanguage(name))
  await Promise.all(
    wanted.map(async name => {
      const load = LANGUAGES[name]
      if (load === undefined) return
      const { default: grammar } = await load()
      await idle()
      hljs.registerLanguage(name, grammar)
    }),
  )
  const grammar = hljs.getLanguage(language)
  if (wanted.length === 0 || !grammar) return
  // The first use compiles the grammar and then its expressions: a task for each. A grammar that emits its own tokens
  // needs no expressions.
  await idle()
  Object.assign(grammar, { __emitTokens: () => {} })
  hljs.highlight('', { language })
  Object.assign(grammar, { __emitTokens: undefined })
  await idle()
  hljs.highlight('', { language })
}

export function highlight(code: string, language: string): Highlighted {
  const { _emitter, _top } = hljs.highlight(code, { language, ignoreIllegals: true })
  const lines = _emitter instanceof LineEmitter ? _emitter.lines : [[{ text: code, shade: null }]]
  return { lines, atRest: _top !== undefined && !('parent' in _top && _top.parent) }
}
