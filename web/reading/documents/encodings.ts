/**
 * How the bytes of a text are recognised: by its mark, as UTF-8, and else by which characters each reading of it would
 * have.
 */

/** Bytes that are looked at. */
const SAMPLE = 65_536

/** The encodings without a mark, besides UTF-8. Their scores decide. */
const CANDIDATES = ['gb18030', 'big5', 'shift_jis', 'euc-kr', 'euc-jp', 'windows-1252'] as const

/** The most frequent characters of each way to write. A wrong reading has hardly any of them. */
const COMMON = new Set(
  '的一是不了在人有我他这中大来上个国和也子时道说那要就出会可你对生能而着下自之年过发后作里' +
    '用家行所然方成多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运' +
    '們這個來說時為國會對過發後麼經學現當沒動還進樣開實與長機點業將兩間從問應戰頭體見無産產東聲員論處義條題電數報結務場計書聽達強難權設記類據張規萬覺術領傳師觀讓識帶導爭運請價請資訊檔銷' +
    'のにはをたがでてとしれさあるいすらなもっかりこまくよきつそどせけえじめうわだちみへばびべぼげござずぜぞゃゅょんアイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモヤユヨラリルレロワンッャュョー' +
    '이다는을의에가를은고한하지로도기사있수어리아자나그서대인라만시들해일과보여정게으원제전상것스부국동구신문세주적내없성조공장용면위우미학년개화관물생비실반중소경치분모방무연당발선방',
)
const PUNCTUATION = /[，。、；：？！“”‘’（）《》「」『』【】…—～　]/

/** The decoder for a text that begins so. It is lenient: what cannot be read becomes �. */
export function decoderOf(start: Uint8Array): TextDecoder {
  return new TextDecoder(encodingOf(start))
}

export function encodingOf(start: Uint8Array): string {
  const marked = markOf(start)
  if (marked !== null) return marked
  const sample = start.subarray(0, SAMPLE)
  const wide = wideOf(sample)
  if (wide !== null) return wide
  const declared = declaredIn(sample)
  if (isUtf8(sample)) return 'utf-8'
  if (declared !== null && declared !== 'utf-8') return declared
  const scores = CANDIDATES.map(encoding => ({ encoding, score: scoreOf(sample, encoding) }))
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).encoding
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 without a mark: most second bytes, or most first ones, are zero, or the same few pages of characters. */
function wideOf(sample: Uint8Array): string | null {
  if (sample.length < 4 || !sample.includes(0)) return null
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const encoding = odd > even ? 'utf-16le' : 'utf-16be'
  const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length - (sample.length % 2)))
  // A program has bytes of any kind, and so as text characters that no text has.
  return isText(text) ? encoding : null
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    // The last character of the sample may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/** What XML and HTML say of themselves. */
function declaredIn(sample: Uint8Array): string | null {
  const start = String.fromCharCode(...sample.subarray(0, 1_024))
  const label = /<(?:\?xml|meta)[^>]{0,200}?(?:encoding|charset)\s*=\s*["']?([\w-]{2,30})/i.exec(start)?.[1]
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** Points for a character, on the average. */
function scoreOf(sample: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(sample, { stream: true })
  let score = 0
  let count = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) continue
    count += 1
    score += pointsOf(character, code, encoding)
  }
  return count === 0 ? 0 : score / count
}

function pointsOf(character: string, code: number, encoding: string): number {
  if (code === 0xfffd || (code >= 0x80 && code < 0xa0)) return -10
  // Private characters, and half-width katakana, which hardly anybody writes, are what wrong readings are full of.
  if ((code >= 0xe000 && code < 0xf900) || (code >= 0xff61 && code < 0xffa0)) return -3
  if (encoding === 'windows-1252') return /[à-öø-ýß‘’“”–—…€°]/i.test(character) ? 0.3 : -0.5
  if (COMMON.has(character)) return 2
  if (PUNCTUATION.test(character)) return 1.5
  if (code >= 0xac00 && code < 0xd7a4) return 0.2
  if (code >= 0x4e00 && code < 0xa000) return 0
  return code >= 0x3040 && code < 0x3100 ? 0.5 : -1
}

/** Whether characters are those of a text: hardly any that are for machines, or that are none. */
export function isText(text: string): boolean {
  let strange = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isForMachines = code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b
    if (isForMachines || code >= 0xfffd) strange += 1
  }
  return strange <= text.length / 200
}
