/** Text between tags, or in an attribute that assistive technology reads. */
const TEXTS = />([^<]+)|(?:aria-label|placeholder|title|data-tip)="([^"]*)"/g

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' }

/** Maps the texts of markup in one language to those of the same markup in another. Texts that contain the person's name are left out. */
export function pairTexts(ours: string, theirs: string, name: string): Record<string, string> {
  const [from, to] = [textsIn(ours), textsIn(theirs)]
  if (from.length !== to.length) throw new Error('the markup differs by more than its language')
  const pairs = new Map<string, string>()
  from.forEach((text, at) => {
    const other = to[at] ?? text
    if (text === other || text.includes(name)) return
    const known = pairs.get(text)
    if (known !== undefined && known !== other) throw new Error(`"${text}" is both "${known}" and "${other}"`)
    pairs.set(text, other)
  })
  return Object.fromEntries(pairs)
}

function textsIn(markup: string): string[] {
  return [...markup.matchAll(TEXTS)].map(([, text, attribute]) =>
    (text ?? attribute ?? '').replaceAll(/&(?:lt|gt|quot|#x27|amp);/g, entity => ENTITIES[entity] ?? entity),
  )
}
