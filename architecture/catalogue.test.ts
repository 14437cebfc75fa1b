import { describe, expect, test } from 'vitest'
import { REFUSALS } from '#contract/refusals.ts'
import { SECTIONS } from '#contract/configuration/configuration.ts'
import { describe as described, type Described } from '#contract/configuration/declared.ts'
import { type Setting, SETTINGS } from '#server/configuration/settings.ts'
import { configurationDocs } from '../scripts/configurationDocs.ts'
import { answeredCalls, declaredCalls, raisedRefusals, readSettings, shownTexts } from './catalogue.ts'
import { settingsReadBy } from './readSettings.ts'
import { readOurs } from './sources.ts'

const LANGUAGES = import.meta.glob<Record<string, Record<string, string>>>(
  ['../web/i18n/??-??.ts', '../web/i18n/??-??/admin.ts'],
  { eager: true },
)
/** Where refusals have texts that are loaded with what alone can meet them. */
const LATER = import.meta.glob<Record<string, Record<string, string>>>(
  '../web/i18n/??-??/{attachments,invitation,keeping,keys,notices,shares,signIn,usage}.ts',
  { eager: true },
)
const ACCESS = ['anyone', 'user', 'superuser']

describe('a declared call', () => {
  const declared = declaredCalls()

  test('is one of many', () => {
    expect(declared.size).toBeGreaterThan(20)
  })
  test('is answered by the server', () => {
    const answered = answeredCalls()
    expect(
      [...declared.keys()].filter(name => !answered.has(name)),
      'answer it in server/<domain>/routes.ts',
    ).toEqual([])
  })
  test('says who may make it', () => {
    expect([...declared].filter(([, call]) => !ACCESS.includes(call.access)).map(([name]) => name)).toEqual([])
  })
  test('has a method and a path of its own', () => {
    const addresses = [...declared.values()].map(call => `${call.method} ${call.path.replaceAll(/:\w+/g, ':')}`)
    expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([])
  })
  test('tells in one line what it is for', () => {
    expect(
      [...declared].filter(([, { summary }]) => summary.trim() === '' || summary.includes('\n')).map(([name]) => name),
    ).toEqual([])
  })
})

describe('a refusal', () => {
  test('is raised somewhere', () => {
    const raised = raisedRefusals()
    expect(
      Object.keys(REFUSALS).filter(key => !raised.has(key)),
      'remove it from contract/refusals.ts',
    ).toEqual([])
  })
})

describe('a setting', () => {
  test('is read by the server', () => {
    const read = readSettings()
    expect(
      SETTINGS.map(({ path }) => path).filter(path => !read.has(path)),
      'read it, or remove it from contract/configuration/',
    ).toEqual([])
  })
  test.each([
    ['current().http.port', ['http.port']],
    ['const { port } = current().http', ['http.port']],
    ['const { http: { port } } = current()', ['http.port']],
    ['const { http } = current(); listen(http.port)', ['http.port']],
    ['const settings = current().http; listen(settings.port)', ['http.port']],
    ['const { http: settings } = current(); listen(settings.port)', ['http.port']],
    ['const { level, ...rest } = current().log', ['log.console_log_level', 'log.proxy_log_file']],
    ['current()[source].proxy', ['openai_web.proxy', 'openai_api.proxy']],
    ['upstream.proxy; settings.port', []],
  ])('is read by %s', (text, read) => {
    expect(
      [...settingsReadBy({ path: 'x.ts', text, lines: 1 })].filter(path =>
        SETTINGS.some(setting => setting.path === path),
      ),
    ).toEqual(read)
  })
})

describe('the languages', () => {
  const first = Object.keys(LANGUAGES).filter(path => !path.endsWith('/admin.ts'))
  const dictionaries = first.map(path => {
    const modules = [path, path.replace('.ts', '/admin.ts')].flatMap(file => Object.values(LANGUAGES[file] ?? {}))
    return { path, texts: Object.assign({}, ...modules) }
  })

  test('are three', () => {
    expect(dictionaries.map(({ path }) => path)).toEqual([
      '../web/i18n/en-US.ts',
      '../web/i18n/ms-MY.ts',
      '../web/i18n/zh-CN.ts',
    ])
  })
  test.each(dictionaries)('have a text for every refusal: $path', ({ path, texts }) => {
    const later = Object.entries(LATER).filter(([file]) => file.startsWith(path.replace('.ts', '/')))
    const all = Object.assign({}, texts, ...later.flatMap(([, module]) => Object.values(module)))
    expect(Object.keys(REFUSALS).filter(key => !all[`errors.${key}`]?.trim())).toEqual([])
  })
  test.each(dictionaries)('have a name and a help for every setting: $path', ({ texts }) => {
    const needed = SETTINGS.flatMap(settingKeys)
    const keys = [
      ...needed,
      ...Object.keys(SECTIONS).flatMap(section => [`config.${section}`, `config.${section}.help`]),
    ]
    expect(keys.filter(key => !texts[key]?.trim())).toEqual([])
  })
  test('have no name of a setting that does not exist', () => {
    const known = new Set(SETTINGS.map(({ path }) => path))
    const isKnown = ([section = '', key]: string[]) =>
      section === 'credentials' || key === undefined || key === 'help' || known.has(`${section}.${key}`)
    const named = Object.keys(dictionaries[0]?.texts ?? {}).filter(key => key.startsWith('config.'))
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(key => !isKnown(key.split('.').slice(1)))).toEqual([])
  })
  test('have no text that is shown nowhere', () => {
    const keys = Object.keys(dictionaries[0]?.texts ?? {})
    const shown = shownTexts(keys)
    expect(
      keys.filter(key => !shown.has(key)),
      'remove it from web/i18n/',
    ).toEqual([])
  })
  test.each(dictionaries)('name the same values in each text: $path', ({ texts }) => {
    const first = dictionaries.find(({ path }) => path.endsWith('zh-CN.ts'))?.texts ?? {}
    expect(Object.keys(first).filter(key => slotsOf(first[key]) !== slotsOf(texts[key] ?? ''))).toEqual([])
  })
})

describe('docs/configuration.md', () => {
  test('is what contract/configuration/ says today', () => {
    expect(readOurs('docs/configuration.md'), 'run node scripts/node.mjs scripts/configurationDocs.ts').toBe(
      configurationDocs(),
    )
  })
  test('tells of a setting its names, its default, its bounds and its meaning', () => {
    expect(configurationDocs()).toContain(
      '| `http.port`<br>`COMMONS_HTTP_PORT` | `8000` | 0 to 65535 | Port. 1 to 65535; 0 means any free one, for tests. They read it from the line that says where the portal listens. Also `PORT`. Start only. |',
    )
  })
})

/** The keys of a setting's texts: its name, its help, the choices it has, and the parts of its entries. */
function settingKeys({ path, schema }: Setting): string[] {
  const { enum: choices = [], items }: Described = described(schema)
  return ['', '.help', ...[...choices, ...Object.keys(items?.properties ?? {})].map(part => `.${part}`)].map(
    end => `config.${path}${end}`,
  )
}

function slotsOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted().join(' ')
}
