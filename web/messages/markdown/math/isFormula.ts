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

const PURE_NUMBER = /^\d[\d.,]*[A-Za-z%]?$/
const BEGINS_WITH_NUMBER = /^\.?\d/
const CURRENCY = /[¥￥€£₹₩]/
/** `$20/人`. */
const PER_CJK = /^\d[\d.,]*\/\p{Script=Han}/u
const HAN = /\p{Script=Han}/u
const ENDS_WITH_PRICE = /\d[KMBkmb万亿]?$/
/** `$1,000-$2,000; 1000$`: formulas separate numbers by commas. */
const TWO_PRICES = /^\d[\d.,]*[KMBkmb]?\+?;\s.*\d[KMBkmb]?$/
/** Between the two prices of a range, or of a list. */
const RANGE = /(?:[-–—~～→+*/×=≈]|\s(?:to|or|and|till|until)|[到至或和])\s*$/
/** `$10 - `, `US$1.5k to `: the next sign begins a price, too. */
const PRICE_BEFORE = /(?:^|[^\d$])\$\d[\d.,]*[KMBkmb]?\s*(?:[-–—~～→+/]|\s(?:to|or|and|till|until)|[到至或和])\s*$/
const PRICE_AND_COMMA = /(?:^|[^\d$])\$\d[\d.,]*[KMBkmb]?[,，、]?\s*$/
const ENDS_WITH_RANGE = /[-–—~～→+*/×=≈]$/
/** `50 $ - 60 $`. */
const SPACED_RANGE = /^[-–—~～+/]\s*\d[\d.,]*[KMBkmb]?$/

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

/** Characters of a line that decide about the dollar sign behind them. */
export const CONTEXT = 40

/**
 * Whether the text between two dollar signs is a formula. Pandoc's rule comes first: no space inside either sign, no
 * digit after the second. `preceding` is the end of what stands before on the line, `after` the next character.
 */
export function isFormula(inside: string, preceding: string, after: string): boolean {
  const before = preceding.slice(-1)
  if (/^ .* $/.test(inside)) {
    if (/\d ?$/.test(preceding) && SPACED_RANGE.test(inside.trim())) return false
    return !/\d/.test(before + after) && isSpacedFormula(inside.trim())
  }
  if (/\d/.test(after) || /^\s/.test(inside) || /\s/.test(inside.slice(-1)) || ENDING.test(inside)) return false
  if (
    BEFORE_SIGN.test(inside) ||
    bracesDiffer(inside) ||
    isBehindPrice(inside, preceding) ||
    isPrice(inside, before, after) ||
    isInRange(inside, preceding, after) ||
    isWithinWord(inside, before, after)
  )
    return false
  return !(isName(inside, before, after) || isProseBetween(inside))
}

/**
 * `10$`, `20$/月`: the sign belongs to a price, unless what follows begins like a formula and does not end like the next
 * price.
 */
function isBehindPrice(inside: string, preceding: string): boolean {
  return (
    ENDS_WITH_PRICE.test(preceding.slice(-2)) &&
    !(/^[A-Za-z\\({|]/.test(inside) && (SIGN.test(inside) || !/\d$/.test(inside)))
  )
}

/** `$10 - $20, 30$ - 40$`: the first sign ends a range of prices, and the second begins one. */
function isInRange(inside: string, preceding: string, after: string): boolean {
  if (!BEGINS_WITH_NUMBER.test(inside) || COMMAND.test(inside) || SIGN.test(inside)) return false
  if (PRICE_BEFORE.test(preceding) || ENDS_WITH_RANGE.test(inside)) return true
  if (PURE_NUMBER.test(inside) || !ENDS_WITH_PRICE.test(inside.slice(-2))) return false
  return PRICE_AND_COMMA.test(preceding) || (RANGE.test(preceding) && RANGE.test(after))
}

/** `Summer$2024$Winter`, `Outer$Inner$1`, `user$.pipe(); name$`. */
function isWithinWord(inside: string, before: string, after: string): boolean {
  if (!/[A-Za-z_]/.test(before)) return false
  if (PURE_NUMBER.test(inside) || /^[=.,;:/)\]}>]/.test(inside)) return true
  return /[A-Za-z_]/.test(after) && !SIGN.test(inside) && !COMMAND.test(inside)
}

/** `$5`, `US$3`. In Chinese no space separates a price from what follows: `价格为$5，设$x$为数量`. */
function isPrice(inside: string, before: string, after: string): boolean {
  if (!BEGINS_WITH_NUMBER.test(inside) || COMMAND.test(inside)) return false
  if (
    PER.test(inside) ||
    PER_CJK.test(inside) ||
    CURRENCY.test(inside) ||
    (HAN.test(inside) && ENDS_WITH_PRICE.test(inside.slice(-2)) && !SIGN.test(inside)) ||
    TWO_PRICES.test(inside) ||
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
