/** What KaTeX gives a macro that is a function; its own types have only an object. */
type Source = {
  future(): { text: string }
  popToken(): { text: string }
  consumeSpaces(): void
  consumeArg(delimiters?: string[]): { tokens: readonly { text: string }[] }
}
type Macro = string | ((source: object) => string)

const sourceText = (tokens: readonly { text: string }[]) =>
  tokens.map(({ text }) => (/^\\[A-Za-z]+$/.test(text) ? `${text} ` : text)).join('')

/** The next argument as it was written. KaTeX keeps its tokens from the last to the first. */
const argument = (source: Source) => sourceText(source.consumeArg().tokens.toReversed())

function option(source: Source): string | null {
  source.consumeSpaces()
  if (source.future().text !== '[') return null
  source.popToken()
  return sourceText(source.consumeArg([']']).tokens.toReversed())
}

/** A macro with this many arguments after its options, which are not drawn. */
function withArguments(count: number, write: (...given: string[]) => string): Macro {
  return given => {
    // KaTeX calls it with its expander, which has these functions.
    const source = given as Source
    option(source)
    return write(...Array.from({ length: count }, () => argument(source)))
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash ',
  '^': '\\textasciicircum ',
  '~': '\\textasciitilde ',
}

const escaped = (text: string) => text.replaceAll(/[\\^~{}_#%&$]/g, mark => ESCAPED[mark] ?? `\\${mark}`)

/** Shown letter by letter. */
const literal = (text: string) => `\\texttt{${escaped(text)}}`

/** A command that KaTeX does not know, with the arguments that follow it: shown as it was written. */
export function asWritten(name: string): Macro {
  return given => {
    const source = given as Source
    let shown = name
    for (let next = source.future().text; next === '{' || next === '['; next = source.future().text)
      shown += next === '[' ? `[${option(source)?.trimEnd()}]` : `{${argument(source).trimEnd()}}`
    return literal(shown)
  }
}

const only = (at: number, of: number) => withArguments(of, (...given) => `{${given[at]}}`)
const quantity = withArguments(2, (number, unit) => `{${numberTex(number ?? '')}\\,${unitTex(unit ?? '')}}`)
const unit = withArguments(1, text => `{${unitTex(text ?? '')}}`)
const reference = withArguments(1, label => `\\text{${escaped(label ?? '')}}`)

/** Characters by their number, decimal or hexadecimal. */
function character(number = ''): string {
  const code = /^[xX"]/.test(number) ? parseInt(number.slice(1), 16) : parseInt(number, 10)
  const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? `\\text{${literalLetter(String.fromCodePoint(code))}}` : literal(`\\unicode{${number}}`)
}

const literalLetter = (letter: string) => (/[\\^~{}_#%&$]/.test(letter) ? literal(letter) : letter)

/** `\qty{3}{m}` is of siunitx, `\qty(x)` and `\qty{x}` of physics. */
const qty: Macro = given => {
  const source = given as Source
  if (source.future().text === '(') {
    source.popToken()
    return `\\left(${sourceText(source.consumeArg([')']).tokens.toReversed())}\\right)`
  }
  option(source)
  const first = argument(source)
  return source.future().text === '{'
    ? `{${numberTex(first)}\\,${unitTex(argument(source))}}`
    : `\\left\\{${first}\\right\\}`
}

const derivative = (d: string) =>
  ((given: object) => {
    const source = given as Source
    const first = argument(source)
    return source.future().text === '{'
      ? `\\frac{${d} ${first}}{${d} ${argument(source)}}`
      : `\\frac{${d}}{${d} ${first}}`
  }) satisfies Macro

/**
 * Commands of LaTeX packages and of MathJax that KaTeX lacks, and those that would lead out of the page: only their
 * words are drawn.
 */
export const MACROS: Readonly<Record<string, Macro>> = {
  '\\label': '\\@secondoftwo{#1}{}',
  ...Object.fromEntries(
    ['\\ref', '\\autoref', '\\cref', '\\Cref', '\\pageref', '\\cite'].map(name => [name, reference]),
  ),
  '\\eqref': withArguments(1, label => `\\text{(${escaped(label ?? '')})}`),
  '\\require': withArguments(1, () => ''),
  '\\unicode': withArguments(1, number => character(number)),
  '\\SI': quantity,
  '\\qty': qty,
  '\\num': withArguments(1, number => `{${numberTex(number ?? '')}}`),
  '\\ang': withArguments(1, number => `{${number}^{\\circ}}`),
  '\\si': unit,
  '\\unit': unit,
  '\\SIrange': withArguments(
    3,
    (from, to, of) => `{${numberTex(from ?? '')}\\text{–}${numberTex(to ?? '')}\\,${unitTex(of ?? '')}}`,
  ),
  '\\href': only(1, 2),
  '\\url': withArguments(1, address => literal(address ?? '')),
  '\\includegraphics': asWritten('\\includegraphics'),
  ...Object.fromEntries(
    [
      '\\htmlClass',
      '\\htmlId',
      '\\htmlStyle',
      '\\htmlData',
      '\\class',
      '\\cssId',
      '\\style',
      '\\mmlToken',
      '\\enclose',
    ].map(name => [name, only(1, 2)]),
  ),
  '\\bbox': only(0, 1),
  '\\cancelto': withArguments(2, (to, from) => `{\\cancel{${from}}^{${to}}}`),
  '\\hcancel': '\\sout{#1}',
  '\\mathds': '\\mathbb{#1}',
  '\\mathbbm': '\\mathbb{#1}',
  '\\mathpzc': '\\mathcal{#1}',
  '\\mbox': '\\text{#1}',
  '\\textsc': '\\text{#1}',
  '\\textsl': '\\textit{#1}',
  '\\uline': '\\underline{#1}',
  '\\parbox': only(1, 2),
  '\\intertext': '\\text{#1}',
  '\\shortintertext': '\\text{#1}',
  '\\multicolumn': only(2, 3),
  '\\prescript': withArguments(3, (above, below, of) => `{}^{${above}}_{${below}}{${of}}`),
  '\\abs': '\\left|#1\\right|',
  '\\norm': '\\left\\lVert #1\\right\\rVert',
  '\\dv': derivative('\\mathrm{d}'),
  '\\pdv': derivative('\\partial'),
  '\\dd': '\\,\\mathrm{d}',
  '\\ketbra': '\\left|#1\\right\\rangle\\!\\left\\langle #2\\right|',
  '\\expval': '\\left\\langle #1\\right\\rangle',
  '\\overarc': '\\overset{\\frown}{#1}',
  '\\wideparen': '\\overset{\\frown}{#1}',
  '\\overparen': '\\overset{\\frown}{#1}',
  '\\iiiint': '\\iint\\!\\!\\iint',
  '\\celsius': '{}^{\\circ}\\mathrm{C}',
  '\\degreeCelsius': '{}^{\\circ}\\mathrm{C}',
  '\\textdegree': '{}^{\\circ}',
  '\\micro': '\\mu',
  '\\ohm': '\\Omega',
  '\\permil': '\\text{‰}',
  '\\euro': '\\text{€}',
  '\\textyen': '\\text{¥}',
  '\\iddots': '\\text{⋰}',
  '\\cmark': '\\text{✓}',
  '\\xmark': '\\text{✗}',
  '\\C': '\\mathbb{C}',
  ...Object.fromEntries(
    ['\\par', '\\noindent', '\\centering', '\\hfill', '\\toprule', '\\midrule', '\\bottomrule'].map(name => [name, '']),
  ),
  ...Object.fromEntries(
    ['tr', 'Tr', 'rank', 'sgn', 'erf', 'diag', 'argmax', 'argmin', 'Var', 'Cov', 'Res'].map(name => [
      `\\${name}`,
      `\\operatorname{${name}}`,
    ]),
  ),
}

/** Units of siunitx by their names; what is not here is shown by its name. */
const UNITS: Readonly<Record<string, string>> = {
  ...{
    meter: 'm',
    metre: 'm',
    gram: 'g',
    second: 's',
    ampere: 'A',
    kelvin: 'K',
    mole: 'mol',
    mol: 'mol',
    candela: 'cd',
  },
  ...{ hertz: 'Hz', newton: 'N', pascal: 'Pa', joule: 'J', watt: 'W', coulomb: 'C', volt: 'V', farad: 'F', tesla: 'T' },
  ...{ siemens: 'S', weber: 'Wb', henry: 'H', lumen: 'lm', lux: 'lx', becquerel: 'Bq', gray: 'Gy', sievert: 'Sv' },
  ...{ litre: 'L', liter: 'L', minute: 'min', hour: 'h', day: 'd', electronvolt: 'eV', bar: 'bar', tonne: 't' },
  ...{ decibel: 'dB', radian: 'rad', steradian: 'sr', byte: 'B', bit: 'bit', hectare: 'ha', dalton: 'Da' },
  ...{ celsius: '{}^{\\circ}C', degreeCelsius: '{}^{\\circ}C', degree: '{}^{\\circ}', ohm: '\\Omega', percent: '\\%' },
  ...{ angstrom: '\\text{Å}', arcminute: "'", arcsecond: "''", kg: 'kg', km: 'km', cm: 'cm', mm: 'mm', um: '\\mu m' },
  ...{ nm: 'nm', ms: 'ms', s: 's', Hz: 'Hz', kHz: 'kHz', MHz: 'MHz', GHz: 'GHz', kW: 'kW', eV: 'eV', K: 'K', mL: 'mL' },
}

const PREFIXES: Readonly<Record<string, string>> = {
  ...{
    yotta: 'Y',
    zetta: 'Z',
    exa: 'E',
    peta: 'P',
    tera: 'T',
    giga: 'G',
    mega: 'M',
    kilo: 'k',
    hecto: 'h',
    deca: 'da',
  },
  ...{ deci: 'd', centi: 'c', milli: 'm', micro: '\\mu ', nano: 'n', pico: 'p', femto: 'f', atto: 'a' },
}

const POWERS: Readonly<Record<string, string>> = { square: '2', cubic: '3', squared: '2', cubed: '3' }

/** A number of siunitx as TeX: `3e8`, `1.2 +- 0.1`, `2 x 3`. */
function numberTex(written: string): string {
  return written
    .replaceAll(/([\d.,]*)\s*[eEdD]\s*([+-]?\d+)/g, (_, digits: string, power: string) =>
      digits === '' ? `10^{${power}}` : `${digits}\\times 10^{${power}}`,
    )
    .replaceAll(/\+-|\\pm(?![A-Za-z])/g, '\\pm ')
    .replaceAll(/(?<=\d\s*)x(?=\s*\d)/g, '\\times ')
}

/** A unit of siunitx as TeX: `\meter\per\second\squared`, `m/s^2`, `kg.m`. */
function unitTex(written: string): string {
  let tex = ''
  let power = ''
  // Nothing stands between a prefix and its unit, or after a mark of division.
  let joined = true
  for (const [, name, given = ''] of written.matchAll(/\\([A-Za-z]+) *|([^\\]+)/g)) {
    if (name === undefined) {
      tex += given.replaceAll('.', '\\,').replaceAll('~', '\\,').replaceAll('%', '\\%')
      joined = true
    } else if (name === 'per') {
      ;[tex, joined] = [`${tex}/`, true]
    } else if (name === 'square' || name === 'cubic') power = `^{${POWERS[name]}}`
    else if (name in POWERS) tex += `^{${POWERS[name]}}`
    else if (name in PREFIXES) {
      ;[tex, joined] = [`${tex}${joined ? '' : '\\,'}${PREFIXES[name]}`, true]
    } else {
      tex += `${joined ? '' : '\\,'}${UNITS[name] ?? name}${power}`
      ;[power, joined] = ['', false]
    }
  }
  return `\\mathrm{${tex}}`
}
