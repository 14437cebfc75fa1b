/**
 * The words of the product: the field's standard terms, and one word for one thing. UNUSED_NAMES lists words that no
 * name declared here may have, and what is used in their place. Comments and texts are not read: in a sentence each of
 * them can be right.
 */
import type { ESTree } from 'vite'
import { type Source, visit } from './sources.ts'

/** A constant is a variable in capital letters. */
export type Kind = 'file' | 'type' | 'function' | 'variable' | 'constant' | 'property'

/** A name that a file declares, and where in its text; for a file, its own. */
type Declared = { name: string; kind: Kind; at: number }

/**
 * `words` are found in a name as whole words that follow each other: `desk` in `useDesk` and `DESK_WIDTH`, not in
 * `desktop`. With `alone` they must be the whole name. `of` are the kinds of names in which they have the meaning that
 * is listed; all when it is left out.
 */
type UnusedName = { words: string; instead: string; alone?: boolean; of?: readonly Kind[] }

const CODE: readonly Kind[] = ['file', 'type', 'function']
const CONSTANT: readonly Kind[] = ['constant']

/**
 * `rest`, `line` or `late` are good names of a value. Where a word is only wrong in one meaning, `alone` and `of` say
 * in which.
 */
export const UNUSED_NAMES: readonly UnusedName[] = [
  { words: 'desk', instead: 'conversation view, branch actions or uploads' },
  { words: 'place', instead: 'position (in a queue, in a text), storage (of the data), folder' },
  { words: 'places', instead: 'positions, or concurrency' },
  { words: 'lane', instead: 'queue' },
  { words: 'lanes', instead: 'queues' },
  { words: 'in line', instead: 'in queue' },
  { words: 'told', instead: 'sent, lastSent' },
  { words: 'tell', instead: 'notify, emit, send' },
  { words: 'heard', instead: 'received, resolved' },
  { words: 'begun', instead: 'started; deferRejection', alone: true },
  { words: 'looked at', instead: 'readFacts' },
  { words: 'judged', instead: 'decide' },
  { words: 'written', instead: 'persist', alone: true, of: CODE },
  { words: 'last', instead: 'sendWithCommit', alone: true, of: CODE },
  { words: 'manner', instead: 'options' },
  { words: 'gives way', instead: 'lowPriority' },
  { words: 'giving way', instead: 'lowPriority' },
  { words: 'in groups', instead: 'batch' },
  { words: 'let in', instead: 'runBatch' },
  { words: 'turns', instead: 'groupCommit, limitConcurrency', alone: true, of: CODE },
  { words: 'sqlite turns', instead: 'groupCommit' },
  { words: 'writers line', instead: 'writeQueue' },
  { words: 'shared flushes', instead: 'coalescedSync' },
  { words: 'after others', instead: 'nextMacrotask' },
  { words: 'rest', instead: 'yieldToEventLoop', alone: true, of: CODE },
  { words: 'slices', instead: 'yieldToEventLoop', alone: true },
  { words: 'standing', instead: 'state (of a queue), counts (of what is limited)' },
  { words: 'standings', instead: 'states' },
  { words: 'elsewhere', instead: 'otherProcess, remote' },
  { words: 'endings', instead: 'completion' },
  { words: 'conclusion', instead: 'AskResult' },
  { words: 'needs', instead: 'Dependencies', of: ['file', 'type'] },
  { words: 'given', instead: 'Dependencies', of: ['file', 'type'] },
  { words: 'deps', instead: 'Dependencies' },
  { words: 'wanted', instead: 'Options', alone: true, of: ['type'] },
  { words: 'said', instead: "'continue' | 'cancel' | 'done'", of: ['type'] },
  { words: 'take over', instead: 'handoff' },
  { words: 'taken over', instead: 'handoff' },
  { words: 'dress', instead: 'applyTheme', alone: true, of: CODE },
  { words: 'strike', instead: 'replayKeydown', alone: true, of: CODE },
  { words: 'carry', instead: 'copyValue', alone: true, of: CODE },
  { words: 'island', instead: 'anchorRange' },
  { words: 'sought', instead: 'targets' },
  { words: 'screenful', instead: 'turnsPerScreen' },
  { words: 'rehearsal', instead: 'prewarm' },
  { words: 'late', instead: 'lazy', alone: true, of: CODE },
  { words: 'jitless', instead: 'zodConfiguration', of: CODE },
  { words: 'look at', instead: 'selectBranch' },
  { words: 'leave path', instead: 'rememberPath' },
  { words: 'take place', instead: 'updateCachedHistory' },
  { words: 'hindrance', instead: 'disabledReason, problem' },
  { words: 'tidy list', instead: 'a name for what the context holds' },
  { words: 'opened', instead: 'a name for what the context holds', alone: true, of: ['file', 'type'] },
  { words: 'asker', instead: 'caller, user' },
  { words: 'held until', instead: 'cooldownEnd' },
  { words: 'may move to', instead: 'allowedUpstreams' },
  { words: 'beside first', instead: 'asSiblingOfFirst' },
  { words: 'dock', instead: 'composerBar', of: CODE },
  { words: 'under', instead: 'the name of the thing itself', alone: true, of: CODE },
  { words: 'under accounts', instead: 'accountsSection' },
  { words: 'ruler', instead: 'usage meter' },
  { words: 'rulers', instead: 'usage meters' },
  { words: 'lamp', instead: 'illustration, light' },
  { words: 'lamps', instead: 'illustrations, lights' },
  { words: 'configuration mistake', instead: 'ConfigurationError' },
  { words: 'reached', instead: 'a noun with its domain', alone: true, of: ['type'] },
  { words: 'room', instead: 'bounds, capacity', alone: true, of: ['type'] },
  { words: 'left', instead: 'a noun with its domain, bounds', alone: true, of: ['type'] },
  { words: 'known', instead: 'a noun with its domain', alone: true, of: ['type'] },
  { words: 'most', instead: 'MAX_...', of: CONSTANT },
  { words: 'longest', instead: 'MAX_...', of: CONSTANT },
  { words: 'few', instead: 'BATCH_SIZE, MIN_...', of: CONSTANT },
  { words: 'enough', instead: 'BATCH_SIZE, MAX_...', of: CONSTANT },
  { words: 'again', instead: 'RETRY_DELAYS_MS', of: CONSTANT },
  { words: 'around', instead: 'a name for what it is', of: CONSTANT },
  { words: 'kept for', instead: '..._TTL_MS, RETENTION_MS', of: CONSTANT },
  { words: 'sure for', instead: '..._TTL_MS', of: CONSTANT },
]

/**
 * Names of the wire (the specification, docs/protocol.md, settings) and of stored columns: as keys of an object they
 * stay what they are.
 */
const WIRE_AND_STORED_NAMES = /^(places?|lanes?|line|show_names_in_line|COMMONS_\w+)$/

const CONSTANT_NAME = /^[A-Z][A-Z0-9_]+$/

export function unusedNamesIn(source: Source): string[] {
  return declaredIn(source).flatMap(({ name, kind, at }) => {
    if (kind === 'property' && WIRE_AND_STORED_NAMES.test(name)) return []
    const named = wordsOf(name)
    const found = UNUSED_NAMES.find(each => (each.of?.includes(kind) ?? true) && isUsedIn(named, each))
    if (found === undefined) return []
    const line = source.text.slice(0, at).split('\n').length
    return `${source.path}:${line} ${name} (${found.instead})`
  })
}

function isUsedIn(named: string, { words, alone = false }: UnusedName): boolean {
  return alone ? named === words : ` ${named} `.includes(` ${words} `)
}

/** 'write queue' of writeQueue, WriteQueue, write_queue and WRITE_QUEUE. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
}

/**
 * A name is declared where it is chosen: `{ place }` taken out of an object has the name that it has there, `{ place:
 * position }` has ours.
 */
function declaredIn(source: Source): Declared[] {
  const declared: Declared[] = []
  const add = (name: string, kind: Kind, at: number): void => {
    declared.push({ name, kind: kind === 'variable' && CONSTANT_NAME.test(name) ? 'constant' : kind, at })
  }
  const addKey = (node: { key: ESTree.Node; computed?: boolean }, kind: Kind): void => {
    if (node.key.type === 'Identifier' && !node.computed) add(node.key.name, kind, node.key.start)
  }
  const addPattern = (pattern: ESTree.Node, kind: Kind = 'variable'): void => {
    for (const { name, start } of namesOf(pattern)) add(name, kind, start)
  }
  const addFunction = ({ id, params }: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    if (id !== null) add(id.name, 'function', id.start)
    for (const parameter of params) addPattern(parameter)
  }
  const [file = ''] = source.path.split('/').at(-1)?.split('.') ?? []
  add(file, 'file', 0)
  visit(source, {
    VariableDeclarator: ({ id, init }) => addPattern(id, isFunction(init) ? 'function' : 'variable'),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    CatchClause: ({ param }) => param !== null && addPattern(param),
    ClassDeclaration: ({ id }) => id !== null && add(id.name, 'type', id.start),
    TSTypeAliasDeclaration: ({ id }) => add(id.name, 'type', id.start),
    TSInterfaceDeclaration: ({ id }) => add(id.name, 'type', id.start),
    MethodDefinition: node => addKey(node, 'function'),
    PropertyDefinition: node => addKey(node, isFunction(node.value) ? 'function' : 'property'),
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type === 'Property' && !property.shorthand)
          addKey(property, isFunction(property.value) ? 'function' : 'property')
      }
    },
    TSMethodSignature: node => addKey(node, 'function'),
    TSPropertySignature: node =>
      addKey(node, node.typeAnnotation?.typeAnnotation.type === 'TSFunctionType' ? 'function' : 'property'),
  })
  return declared
}

function isFunction(node: ESTree.Node | null): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

/** The names that a pattern chooses. `...rest` is one of them. */
function namesOf(pattern: ESTree.Node | null): { name: string; start: number }[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [{ name: pattern.name, start: pattern.start }]
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'ObjectPattern':
      return pattern.properties.flatMap(each =>
        each.type === 'RestElement' ? namesOf(each) : each.shorthand ? [] : namesOf(each.value),
      )
    case 'TSParameterProperty':
      return namesOf(pattern.parameter)
    default:
      return []
  }
}
