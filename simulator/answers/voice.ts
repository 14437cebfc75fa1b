import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Language = 'chinese' | 'english'

export const TOPICS = ['code', 'mathematics', 'comparison', 'steps', 'writing'] as const
export type Topic = (typeof TOPICS)[number]
export type Section = { heading: string; text: string }

/** What is said in one language. */
export type Voice = {
  greetings: string[]
  sections: Record<Topic, Section[]>
  /** A text by its name, with `values` in place of {name}. */
  text: (name: string, values?: Readonly<Record<string, string | number>>) => string
  lines: (name: string) => string[]
}

export const VOICES: Readonly<Record<Language, Voice>> = {
  chinese: readVoice('chinese'),
  english: readVoice('english'),
}

/** Reads <language>.md: parts headed by `%% name` or `%% topic: heading`; {name} is replaced from samples.md. */
function readVoice(language: Language): Voice {
  const samples = Object.fromEntries(partsOf('samples').map(part => [part.name, part.text]))
  const parts = partsOf(language).map(part => ({ ...part, text: filled(part.text, samples) }))
  const texts = Object.fromEntries(parts.map(({ name, text }) => [name, text]))
  const all = (name: string) => parts.filter(part => part.name === name)
  const text: Voice['text'] = (name, values = {}) => filled(texts[name] ?? '', values)
  return {
    greetings: all('greeting').map(part => part.text),
    sections: {
      code: all('code'),
      mathematics: all('mathematics'),
      comparison: all('comparison'),
      steps: all('steps'),
      writing: all('writing'),
    },
    text,
    lines: name => text(name).split('\n'),
  }
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([a-z]+)\}/g, (slot, name: string) => String(values[name] ?? slot))
}

function partsOf(file: string): (Section & { name: string })[] {
  return readAnswers(file)
    .split(/^%% /m)
    .slice(1)
    .map(part => {
      const [head = '', ...lines] = part.split('\n')
      const [name = '', heading = ''] = head.split(': ')
      return { name, heading, text: lines.join('\n').trim() }
    })
}

export function readAnswers(file: string): string {
  return readFileSync(join(import.meta.dirname, `${file}.md`), 'utf8')
}
