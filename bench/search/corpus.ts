import { type Random, randomFrom } from '../../testing/random.ts'

/** A writing system: its invented words, the most frequent first, and how they are joined. */
type Script = { name: string; words: string[]; between: string; end: string }

const WORDS = 20_000
const PEOPLE_WRITE = 12
const MODELS_WRITE = 90

const SYLLABLES = [
  'ka',
  'ter',
  'con',
  'mi',
  'ble',
  'pro',
  'sta',
  'ing',
  'ver',
  'lo',
  'ra',
  'der',
  'un',
  'tic',
  'ser',
  'pa',
  'gen',
  'ful',
  'os',
  'ne',
  'cha',
  'per',
  'ment',
  'du',
]

export type Corpus = { scripts: Script[]; text(at: number): string }

/**
 * Generates questions and answers in invented words of three scripts with the word frequencies of natural language
 * (Zipf). Some Latin words are names of two parts, some are versions. Each run generates the same.
 */
export function searchCorpus(): Corpus {
  const random = randomFrom(37)
  const scripts = [latin(random), han(random), kana(random)]
  return {
    scripts,
    text(at) {
      const script = scripts[[0, 0, 0, 1, 1, 2][Math.floor(at / 2) % 6] ?? 0] ?? latin(random)
      const length = Math.ceil((at % 2 === 0 ? PEOPLE_WRITE : MODELS_WRITE) * (0.3 + 1.4 * random.next()))
      let text = ''
      for (let word = 1; word <= length; word += 1)
        text += used(script, random) + (word % 11 === 0 || word === length ? script.end : script.between)
      return text
    },
  }
}

/** Picks a word: frequency is inversely proportional to rank. */
function used({ words }: Script, random: Random): string {
  return words[Math.floor(words.length ** random.next()) - 1] ?? ''
}

function distinct(count: number, make: () => string): string[] {
  const words = new Set<string>()
  while (words.size < count) words.add(make())
  return [...words]
}

const repeated = (count: number, make: () => string) => Array.from({ length: count }, make).join('')

function latin(random: Random): Script {
  const word = () => repeated(1 + random.below(4), () => random.of(SYLLABLES))
  const name = () => word() + word().replace(/^./, first => first.toUpperCase())
  const version = () => `v${random.below(4)}.${random.below(30)}.${random.below(20)}`
  const words = distinct(WORDS, () => (random.percent(88) ? word() : random.percent(80) ? name() : version()))
  return { name: 'Latin', words, between: ' ', end: '. ' }
}

const character = (random: Random, from: number, count: number) =>
  String.fromCodePoint(from + ((Math.floor(count ** random.next()) * 7) % count))

function han(random: Random): Script {
  return {
    name: 'Han',
    words: distinct(WORDS, () => repeated(1 + random.below(3), () => character(random, 0x4e00, 3_500))),
    between: '',
    end: '。',
  }
}

function kana(random: Random): Script {
  const katakana = () => repeated(3 + random.below(4), () => character(random, 0x30a2, 80))
  const mixed = () =>
    character(random, 0x4e00, 2_000) + repeated(1 + random.below(2), () => character(random, 0x3042, 80))
  return {
    name: 'kana',
    words: distinct(WORDS, () => (random.percent(40) ? katakana() : mixed())),
    between: '',
    end: '。',
  }
}
