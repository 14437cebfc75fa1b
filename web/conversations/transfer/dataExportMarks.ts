import { Citation } from '#contract/messages.ts'
import { safeLink } from '#web/messages/markdown/safeUrl.ts'
import { type Citations, inCharacters } from './characterPlaces.ts'
import { type Page, pagesIn, type References, referencesIn } from './dataExportReferences.ts'
import { linkText } from './markdownWords.ts'
import { type Raw, rawsAt, someTextAt } from './rawValues.ts'

type Cited = { text: string; citations: Citations }

/**
 * What stands for a source, a name, a link or a picture. U+E200, its kind, U+E202 before each of its arguments, U+E201; one that was cut off
 * has no end. Or the older 【3†source】.
 */
const MARK =
  /\uE200[^\uE200\uE201]*\uE201|\uE200[a-z_]\w*(?:\uE202[^\s\uE200-\uE2FF]*)*|\u3010[^\u3010\u3011\u2020\n]{0,100}\u2020[^\u3010\u3011\n]{0,100}\u3011/g
/** Beginning and end of what a source is for, and whatever else is written in such signs. */
const PRIVATE = /[\uE200-\uE2FF]/g
const USES_MARKS = /[\uE200-\uE206]/
const SOURCES = /^(?:file|mem|container|nav)?cite$/
const LINKS = /^(?:url|link|link_title)$/
/** A name of something that was found, or several; no words. */
const NAMES = /^(?:turn\d+[a-z_]+\d+[,\s]*)+$/

/** The text without the upstream's marks, and the sources at the places where they stood. Older exports name the places themselves. */
export function citedFrom(text: string, metadata: Raw): Cited {
  const references = referencesIn(metadata)
  const older = rawsAt(metadata, 'citations')
    .map(each => Citation.safeParse(each).data)
    .filter(each => each !== undefined)
  const { text: said, citations } = withoutMarks(text, references)
  // Where nothing was taken out the places that are named are still right.
  const isSame = said === text && citations.length === 0
  const cited = new Set([...citations, ...(isSame ? older : [])].map(({ metadata: page }) => page?.url))
  const end = said.trimEnd().length
  const behind = [...(isSame ? [] : older.map(each => each.metadata)), ...references.footnote]
    .filter(page => page?.url != null && !cited.has(page.url) && cited.add(page.url))
    .map(page => ({ start_ix: end, end_ix: end, metadata: page }))
  return { text: said, citations: [...(isSame ? older : []), ...inCharacters(said, [...citations, ...behind])] }
}

/** The same for a text that is no answer: names and links stay, sources go. */
export function unmarked(text: string): string {
  return USES_MARKS.test(text) ? withoutMarks(text, referencesIn({})).text : text
}

function withoutMarks(text: string, references: References): Cited {
  const plain = USES_MARKS.test(text) ? (piece: string) => piece.replace(PRIVATE, '') : (piece: string) => piece
  const citations: Citations = []
  const pieces: string[] = []
  let length = 0
  let from = 0
  const add = (piece: string) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const reference = references.of(mark)
    // Without a reference the older mark is for those who read the citations of the message.
    if (mark.startsWith('\u3010') && (reference === undefined || pagesIn(reference).length === 0)) continue
    const before = plain(text.slice(from, index))
    from = index + mark.length
    const { words, pages } = meaningOf(mark, reference, references)
    const next = text.charAt(from)
    add(words === '' && endsClause(next) ? before.trimEnd() + (/\n\s*$/.exec(before)?.[0] ?? '') : before)
    // At the beginning of a line nothing remains, not even its space.
    if (words === '' && next === ' ' && (length === 0 || (pieces.at(-1) ?? '').endsWith('\n'))) from += 1
    add(words)
    for (const page of pages) citations.push({ start_ix: length, end_ix: length, metadata: page })
  }
  add(plain(text.slice(from)))
  return { text: pieces.join(''), citations }
}

/** Whether a space before this would be one too many. */
function endsClause(next: string): boolean {
  return next === '' || /[\s.,;:!?)\uE200\u3001\u3002\uFF0C]/.test(next)
}

type Meaning = { words: string; pages: readonly Page[] }

function meaningOf(mark: string, reference: Raw | undefined, references: References): Meaning {
  if (mark.startsWith('\u3010')) return { words: '', pages: reference === undefined ? [] : pagesIn(reference) }
  const [kind = '', ...given] = mark
    .slice(1)
    .replace(/\uE201$/, '')
    .split('\uE202')
    .map(part => part.replace(PRIVATE, ''))
  const alt = reference === undefined ? null : (someTextAt(reference, 'alt')?.replace(PRIVATE, '').trim() ?? null)
  if (SOURCES.test(kind)) {
    const known = reference === undefined ? [] : pagesIn(reference)
    const pages =
      known.length > 0
        ? known
        : given
            .flatMap(namesIn)
            .map(references.named)
            .filter(page => page !== undefined)
    return pages.length > 0 ? { words: '', pages } : { words: alt ?? '', pages: [] }
  }
  if (reference !== undefined && someTextAt(reference, 'type') === 'hidden') return { words: '', pages: [] }
  if (LINKS.test(kind)) return { words: linkFrom(given, references) ?? alt ?? wordsIn(given.slice(0, 1)), pages: [] }
  if (kind.includes('entity'))
    return {
      words: (reference === undefined ? null : someTextAt(reference, 'name')) ?? alt ?? nameIn(given[0] ?? ''),
      pages: [],
    }
  return { words: alt ?? wordsIn(given), pages: [] }
}

/** A label and an address, or a label and the name of what was found. */
function linkFrom([label = '', target = '', ...others]: readonly string[], references: References): string | null {
  const url = [target, label, ...others]
    .map(each => (safeLink(each)?.kind === 'outside' ? each : references.named(each.trim())?.url))
    .find(each => each !== undefined)
  if (url === undefined || safeLink(url)?.kind !== 'outside') return null
  // Brackets in a label have no escape that is not the beginning of a formula.
  const words = label.trim() === '' || NAMES.test(label) ? url : label
  return `[${linkText(words.replaceAll('[', '(').replaceAll(']', ')'))}](${/[\s()<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url})`
}

/** ["people","Ada Example",0]: a kind, the name, and what is known of it. */
function nameIn(argument: string): string {
  const parsed = parsedList(argument)
  if (parsed !== null)
    return (
      parsed
        .slice(1)
        .find(each => typeof each === 'string' && each.trim() !== '')
        ?.toString() ?? ''
    )
  const [, name = ''] = /^\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*"((?:[^"\\]|\\.)*)/.exec(argument) ?? []
  return name === '' ? wordsIn([argument]) : name
}

function wordsIn(given: readonly string[]): string {
  return given
    .map(each => each.trim())
    .filter(each => each !== '' && !/^[[{]/.test(each) && !NAMES.test(each))
    .join(' ')
}

function namesIn(given: string): string[] {
  return given.split(/[,\s]+/).filter(name => name !== '')
}

function parsedList(text: string): unknown[] | null {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found : null
  } catch {
    return null
  }
}
