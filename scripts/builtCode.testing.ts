import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** Builds a module with the given code and plugins and returns the output. Modules that match `external` are not bundled. */
export async function builtCode(code: string, plugins: Plugin[], external: RegExp): Promise<string> {
  const path = join(import.meta.dirname, 'entry.js')
  const entry: Plugin = {
    name: 'entry',
    enforce: 'pre',
    resolveId: id => (id === 'entry' ? path : null),
    load: id => (id === path ? code : null),
  }
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entry, ...plugins],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: 'entry', external, preserveEntrySignatures: 'strict' },
    },
  })
  const files = [output].flat().flatMap(each => ('output' in each ? each.output : []))
  return files.map(file => (file.type === 'chunk' ? file.code : '')).join('\n')
}
