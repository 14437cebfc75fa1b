import { gfm } from 'micromark-extension-gfm'
import type { Construct, Extension, Code } from 'micromark-util-types'

const OURS = new Set(['protocolAutolink', 'wwwAutolink'])

/** GFM without its autolinks (autolinks.ts replaces them) and with a strikethrough that works beside Chinese. */
export function gfmForChat(): Extension {
  const { text = {}, ...others } = gfm({ singleTilde: false })
  const replaced = (construct: Construct) => (construct.name === 'strikethrough' ? strikethrough(construct) : construct)
  return {
    ...others,
    text: Object.fromEntries(
      Object.entries(text).map(([code, one]) => [
        code,
        [one ?? []]
          .flat()
          .filter(({ name }) => !OURS.has(name ?? ''))
          .map(replaced),
      ]),
    ),
  }
}

const TILDE = 126
const SPACE = /\s/
const CJK = /[\u1100-\u11FF\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\uD800-\uDFFF]/
const PUNCTUATION = /[\p{P}\p{S}]/u

type Side = 'space' | 'mark' | 'letter'

/** By the rule of cjk-friendly emphasis: Chinese punctuation counts as a letter, since Chinese has no spaces between words. */
function sideOf(code: Code): Side {
  if (code === null || code < 0) return 'space'
  const character = String.fromCharCode(code)
  if (SPACE.test(character)) return 'space'
  return PUNCTUATION.test(character) && !CJK.test(character) ? 'mark' : 'letter'
}

const isCjk = (code: Code) => code !== null && CJK.test(String.fromCharCode(code))

/** GFM's strikethrough, with two marks only: one is a range in Chinese (20~25). */
function strikethrough(gfm: Construct): Construct {
  return {
    ...gfm,
    tokenize(effects, ok, nok) {
      const { previous, events } = this
      let size = 0
      const more = (code: Code): ReturnType<typeof ok> => {
        if (code === TILDE && size < 2) {
          effects.consume(code)
          size += 1
          return more
        }
        if (code === TILDE || size < 2) return nok(code)
        const token = effects.exit('strikethroughSequenceTemporary')
        const [before, after] = [sideOf(previous), sideOf(code)]
        token._open = after === 'letter' || (after === 'mark' && (before !== 'letter' || isCjk(previous)))
        token._close = before === 'letter' || (before === 'mark' && (after !== 'letter' || isCjk(code)))
        return ok(code)
      }
      return code => {
        if (previous === TILDE && events.at(-1)?.[1].type !== 'characterEscape') return nok(code)
        effects.enter('strikethroughSequenceTemporary')
        return more(code)
      }
    },
  }
}
