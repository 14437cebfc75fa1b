const CJK = /[\u2E80-\uFFEF]/
/** They end something, so the sentence goes on after the sign: `100$，200$`. */
const ENDING = /^[，。、；：？！）】》」』”’]/
/** Chinese punctuation of sentences. Its brackets and commas also stand in formulas. */
const CJK_MARK = /[。；：！？、“”‘’…]/

/** Between a name or price and the sign of the next: `$9 是参数，$#`. */
const BEFORE_SIGN = /[，、。；：？！]$/

const COMMAND = /\\[A-Za-z]/
/** Neither a sentence nor a price has one. */
const SIGN = /[\\^_={<>]/

/** Functions that are written without their backslash. */
const FUNCTIONS =
  /(?<![A-Za-z])(?:a?(?:sin|cos|tan)h?|arc(?:sin|cos|tan)|cot|sec|csc|log|ln|lg|exp|max|min|arg(?:max|min)?|lim|sup|inf|det|dim|ker|gcd|lcm|mod|div|Re|Im)(?![A-Za-z])/g
const TEXT_GROUP = /\\(?:text[a-z]*|math[a-z]+|mbox|operatorname\*?|tag)\s*\{[^{}]*\}/g
const TWO_WORDS = /[A-Za-z]{2}[,;:.!?]?\s+[A-Za-z]{2}/

/** `$5/day, …`. */
const PER = /^\d[\d.,]*\/[A-Za-z]{2,}[,;.]?\s/

/** A word of a sentence between two others. */
const WORD_BETWEEN = /\s(?:[A-Za-z]{4,}|and|or|the|is|for|per|but|are|was|to|of|on|at|by|not|you)(?=\s)|\s[A-Za-z]{4,}$/
/** Makes a sentence even of text with a mathematical sign: `Total Cost = Price` is a formula. */
const SENTENCE_WORD =
  /(?:^|\s)(?:and|or|the|is|are|was|for|to|of|in|on|at|by|with|this|that|then|from|not|you|it|if|as|into|set|put|use|see|than)(?=\s)/i
/** A price with its sign behind it: `$MSFT, 10$`. */
const PRICE_AT_END = /[\s，、]\d[\d.,]*$/

/** A variable's name: `USER_NAME`. */
const SNAKE_NAME = /^[A-Za-z]{2,}(?:_[A-Za-z]\w+)+$/
/** A name that begins a path or a list of paths. */
const PATH = /^\{?[A-Za-z_]\w+\}?(?:[^\s^={}]*[/:;\\])$/
const NAME = /^[A-Za-z_]\w/
/** Between two names. No formula ends with it when a letter follows. */
const JOINT = /[/:;,.=([{"'“‘+*<>&%@-]$/

/** `$ x $`, as Qwen writes. The content decides, since `$ 5 and $ 6` has the same spaces. */
function isSpacedFormula(inside: string): boolean {
  if (COMMAND.test(inside)) return true
  if (CJK.test(inside) || /[A-Za-z]{4}|[,.;:]$/.test(inside)) return false
  if (/\s/.test(inside)) return (/^\d/.test(inside) ? /[\^_={]/ : /[\^_={+<>|*/-]/).test(inside)
  return !/[a-z]{2}/.test(inside)
}

/** Whether the text between two dollar signs is a formula. Pandoc's rule comes first: no space inside either sign, no digit after the second. */
export function isFormula(inside: string, before: string, after: string): boolean {
  if (/^ .* $/.test(inside)) return !/\d/.test(before + after) && isSpacedFormula(inside.trim())
  if (/\d/.test(after) || /^\s/.test(inside) || /\s/.test(inside.slice(-1)) || ENDING.test(inside)) return false
  if (
    BEFORE_SIGN.test(inside) ||
    bracesDiffer(inside) ||
    isBehindPrice(inside, before) ||
    isPrice(inside, before, after)
  )
    return false
  return !(isName(inside, before, after) || isProseBetween(inside))
}

/** `10$`, `20$/月`: the sign belongs to a price, unless what follows begins like a formula and does not end like the next price. */
function isBehindPrice(inside: string, before: string): boolean {
  return /\d/.test(before) && !(/^[A-Za-z\\({|]/.test(inside) && (SIGN.test(inside) || !/\d$/.test(inside)))
}

/** `$5`, `US$3`. In Chinese no space separates a price from what follows: `价格为$5，设$x$为数量`. */
function isPrice(inside: string, before: string, after: string): boolean {
  if (!/^\d/.test(inside) || COMMAND.test(inside)) return false
  if (
    PER.test(inside) ||
    /[A-Z]/.test(before) ||
    (CJK.test(inside) && /[A-Za-z\\]/.test(after)) ||
    CJK_MARK.test(inside)
  )
    return true
  if (/[A-Za-z]/.test(after) && PRICE_AT_END.test(inside) && !SIGN.test(inside)) return true
  // Two words, even if not adjacent, or an unbalanced bracket.
  return !SIGN.test(inside) && ((inside.match(/\s[A-Za-z]{2,}/g)?.length ?? 0) > 1 || isUnbalanced(inside))
}

/** TeX cannot draw it: `${a:-$b}`. */
function bracesDiffer(inside: string): boolean {
  const bare = inside.replaceAll(/\\[^]/g, '')
  return bare.split('{').length !== bare.split('}').length
}

function isUnbalanced(inside: string): boolean {
  return (inside.match(/[([（]/g)?.length ?? 0) !== (inside.match(/[)\]）]/g)?.length ?? 0)
}

/** `$HOME/bin:$PATH`, `$AAPL,$MSFT`, `${a}/${b}`: the second sign begins the next name. */
function isName(inside: string, before: string, after: string): boolean {
  if (SNAKE_NAME.test(inside) || PATH.test(inside)) return true
  if (NAME.test(inside) && PRICE_AT_END.test(inside) && !SIGN.test(inside)) return true
  if (NAME.test(inside) && (/[/\\]/.test(before) || (CJK_MARK.test(inside) && !COMMAND.test(inside)))) return true
  if (!/[A-Za-z_{(]/.test(after)) return false
  if (after === '(' || after === '{') return inside.startsWith(after) || (JOINT.test(inside) && !SIGN.test(inside))
  // The $ij$th entry, the $ABC$s.
  if (/^(?:[A-Za-z]{1,2}|[A-Z]{3,4})$/.test(inside) && /[a-z]/.test(after)) return false
  if (NAME.test(inside) && !/[\^={}]/.test(inside) && !COMMAND.test(inside)) return true
  return inside.length > 1 && ((JOINT.test(inside) && !/[\\^].$/.test(inside)) || CJK.test(inside.slice(-1)))
}

/** Whether it is a sentence: words that are not mathematical, or a quotation mark. */
export function isProseBetween(inside: string): boolean {
  if (COMMAND.test(inside.replaceAll(TEXT_GROUP, ''))) return false
  const words = inside.replaceAll(TEXT_GROUP, '').replaceAll(FUNCTIONS, '·')
  if (/^[;,]|"/.test(inside)) return true
  return SIGN.test(inside)
    ? TWO_WORDS.test(words) && SENTENCE_WORD.test(words)
    : TWO_WORDS.test(words) || WORD_BETWEEN.test(words)
}
