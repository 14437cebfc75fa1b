import type { ESTree } from 'vite'
import { SECTIONS } from '#contract/configuration/configuration.ts'
import { SOURCES } from '#contract/models.ts'
import { SETTINGS } from '#server/configuration/settings.ts'
import { type Source, visit } from './sources.ts'

/**
 * The settings that code reads, as 'http.port'. It recognises a section by its name, by a source, and by a variable
 * that holds either.
 */
export function settingsReadBy(source: Source): Set<string> {
  const read = new Set<string>()
  const names = new Map<string, readonly string[]>(Object.keys(SECTIONS).map(section => [section, [section]]))

  const sectionsOf = (node: ESTree.Node): readonly string[] => {
    if (node.type === 'Identifier') return names.get(node.name) ?? []
    if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return []
    if (node.computed) return node.property.name === 'source' ? SOURCES : []
    return node.property.name in SECTIONS ? [node.property.name] : []
  }
  const note = (sections: readonly string[], key: ESTree.Node): void => {
    if (key.type === 'Identifier') for (const section of sections) read.add(`${section}.${key.name}`)
  }
  const noteEach = (sections: readonly string[], { properties }: ESTree.ObjectPattern): void => {
    for (const property of properties) {
      if (property.type === 'Property') note(sections, property.key)
      // `...others` takes every setting that is left
      else for (const { section, path } of SETTINGS) if (sections.includes(section)) read.add(path)
    }
  }

  visit(source, {
    MemberExpression: ({ object, property, computed }) => {
      if (!computed) note(sectionsOf(object), property)
    },
    VariableDeclarator: ({ id, init }) => {
      const sections = init === null ? [] : sectionsOf(init)
      if (id.type === 'Identifier' && sections.length > 0) names.set(id.name, sections)
      if (id.type === 'ObjectPattern') noteEach(sections, id)
    },
    ObjectPattern: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'Property') continue
        const sections = sectionsOf(property.key)
        if (property.value.type === 'ObjectPattern') noteEach(sections, property.value)
        if (property.value.type === 'Identifier' && sections.length > 0) names.set(property.value.name, sections)
      }
    },
  })
  return read
}
