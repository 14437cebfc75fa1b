import type { LanguageFn } from 'highlight.js'

type Load = () => Promise<{ default: LanguageFn }>

/** Each language is a chunk of its own, loaded when a block first needs it. */
export const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  clojure: () => import('highlight.js/lib/languages/clojure'),
  cmake: () => import('highlight.js/lib/languages/cmake'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  dos: () => import('highlight.js/lib/languages/dos'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  erlang: () => import('highlight.js/lib/languages/erlang'),
  fortran: () => import('highlight.js/lib/languages/fortran'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  julia: () => import('highlight.js/lib/languages/julia'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  lisp: () => import('highlight.js/lib/languages/lisp'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  matlab: () => import('highlight.js/lib/languages/matlab'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  nix: () => import('highlight.js/lib/languages/nix'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  ocaml: () => import('highlight.js/lib/languages/ocaml'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  properties: () => import('highlight.js/lib/languages/properties'),
  protobuf: () => import('highlight.js/lib/languages/protobuf'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  vbnet: () => import('highlight.js/lib/languages/vbnet'),
  verilog: () => import('highlight.js/lib/languages/verilog'),
  vim: () => import('highlight.js/lib/languages/vim'),
  x86asm: () => import('highlight.js/lib/languages/x86asm'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

/** Other names that people and models write after the fence. */
const ALIASES: Readonly<Record<string, string>> = {
  asm: 'x86asm', bat: 'dos', batch: 'dos', cmd: 'dos', 'c++': 'cpp', cc: 'cpp', h: 'c', hpp: 'cpp', cs: 'csharp', 'c#': 'csharp',
  clj: 'clojure', console: 'shell', shellsession: 'shell', docker: 'dockerfile', ex: 'elixir', exs: 'elixir', erl: 'erlang',
  f90: 'fortran', golang: 'go', gql: 'graphql', hs: 'haskell', toml: 'ini', conf: 'ini', cfg: 'ini', env: 'ini',
  js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript', node: 'javascript', json5: 'json', jsonc: 'json', jsonl: 'json',
  jl: 'julia', kt: 'kotlin', kts: 'kotlin', tex: 'latex', elisp: 'lisp', make: 'makefile', mk: 'makefile', md: 'markdown',
  m: 'matlab', octave: 'matlab', 'objective-c': 'objectivec', objc: 'objectivec', ml: 'ocaml', patch: 'diff', pl: 'perl',
  ps: 'powershell', ps1: 'powershell', pwsh: 'powershell', proto: 'protobuf', py: 'python', python3: 'python', gyp: 'python',
  rb: 'ruby', rs: 'rust', sass: 'scss', less: 'scss', sh: 'bash', zsh: 'bash', fish: 'bash', mysql: 'sql', pgsql: 'sql',
  postgres: 'sql', postgresql: 'sql', sqlite: 'sql', plsql: 'sql', ts: 'typescript', tsx: 'typescript', mts: 'typescript',
  vb: 'vbnet', sv: 'verilog', systemverilog: 'verilog', html: 'xml', xhtml: 'xml', svg: 'xml', rss: 'xml', vue: 'xml', svelte: 'xml',
  plist: 'xml', yml: 'yaml',
}

/** Languages that live inside others. */
export const INSIDE: Readonly<Record<string, readonly string[]>> = { xml: ['css', 'javascript'], php: ['xml'], shell: ['bash'] }

export function languageNamed(name: string | null): string | null {
  const lower = name?.toLowerCase() ?? ''
  const found = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower
  return found !== undefined && Object.hasOwn(LANGUAGES, found) ? found : null
}
