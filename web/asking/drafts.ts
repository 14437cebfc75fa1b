/** Texts that were written and not yet taken by the server, by conversation; kept in the browser under their writer's id. */
export type Drafts = {
  read(conversation: string): string
  /** Blank removes it. */
  keep(conversation: string, text: string): void
  /** Sent as this ask, but not acknowledged: a draft again if the page is left before the server has it. */
  hold(conversation: string, ask_id: string, text: string): void
  /** Held no more: it has been given up, or is held as another ask. */
  release(conversation: string, ask_id: string): void
  /** Acknowledged. A new conversation has its own id now, and what was being written goes along. */
  accepted(conversation: string, ask_id: string, conversation_id: string): void
  /** Puts a text that was sent back to where it was written. */
  putBack(conversation: string, text: string): void
  /** Writes what has changed, now. */
  flush(): void
  subscribe(listener: () => void): () => void
}

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Entries = Record<string, string>

/** The oldest leave when there are more. */
const MOST_DRAFTS = 50
/** Milliseconds after the last key until it is written down. */
const KEEP_AFTER_MS = 300
const HELD = /#sent.*$/

export function openDrafts(user_id: number, place: Place): Drafts {
  const name = `drafts.${user_id}`
  const listeners = new Set<() => void>()
  // What the browser will not keep (private windows, full storage) is kept as long as the page lives.
  const found = stored(place, name)
  const texts = withoutHeld(found)
  let changed: Entries = {}
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(key: string, text: string): void {
    texts[key] = text
    changed[key] = text
    clearTimeout(timer)
    timer = setTimeout(flush, KEEP_AFTER_MS)
    for (const listener of [...listeners]) listener()
  }

  function flush(): void {
    clearTimeout(timer)
    if (Object.keys(changed).length === 0) return
    // Another tab writes here too: only what was changed in this one is laid over it.
    const next = { ...without(stored(place, name), Object.keys(changed)), ...changed }
    changed = {}
    store(place, name, Object.entries(next).filter(([, text]) => text.trim() !== '').slice(-MOST_DRAFTS))
  }

  // Written down as the drafts they are now, or they would come once more.
  for (const key of Object.keys(found).filter(key => HELD.test(key))) {
    const conversation = key.replace(HELD, '')
    set(key, '')
    set(conversation, texts[conversation] ?? '')
  }
  const read = (conversation: string) => texts[conversation] ?? ''
  return {
    read,
    keep: set,
    hold(conversation, ask_id, text) {
      set(held(conversation, ask_id), text)
      flush()
    },
    release(conversation, ask_id) {
      set(held(conversation, ask_id), '')
    },
    accepted(conversation, ask_id, conversation_id) {
      set(held(conversation, ask_id), '')
      if (conversation === conversation_id || read(conversation) === '') return
      set(conversation_id, joined(read(conversation), read(conversation_id)))
      set(conversation, '')
    },
    putBack(conversation, text) {
      set(conversation, joined(text, read(conversation)))
      flush()
    },
    flush,
    subscribe(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
  }
}

/** The page was left before the server had taken it: what was sent is a draft again. */
function withoutHeld(entries: Entries): Entries {
  const drafts: Entries = {}
  for (const [key, text] of Object.entries(entries)) {
    const conversation = key.replace(HELD, '')
    drafts[conversation] = joined(text, drafts[conversation] ?? '')
  }
  return drafts
}

function held(conversation: string, ask_id: string): string {
  return `${conversation}#sent.${ask_id}`
}

function joined(first: string, second: string): string {
  return second.trim() === '' || second === first ? first : `${first}\n\n${second}`
}

function without(entries: Entries, keys: string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)))
}

function stored(place: Place, name: string): Entries {
  try {
    const value: unknown = JSON.parse(place.getItem(name) ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

function store(place: Place, name: string, entries: [string, string][]): void {
  try {
    if (entries.length === 0) place.removeItem(name)
    else place.setItem(name, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // Full or forbidden: memory has it.
  }
}
