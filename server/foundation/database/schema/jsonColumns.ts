import {
  ColumnNode,
  ColumnUpdateNode,
  InsertQueryNode,
  PrimitiveValueListNode,
  ReferenceNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  type KyselyPlugin,
  type OperationNode,
  type RootOperationNode,
} from 'kysely'
import { encodeJson, isJsonColumn } from './codec.ts'
import { Parameter } from './prepared.ts'

/**
 * Encodes the values of json columns as JSON. It has to be done in the statement, where the column of a value is known:
 * a parameter 'yes' or 1 alone may as well be meant for a text or an int column.
 */
export const jsonColumns: KyselyPlugin = {
  transformQuery({ node }): RootOperationNode {
    if (InsertQueryNode.is(node)) return encodedInsert(node)
    if (UpdateQueryNode.is(node) && node.updates) return { ...node, updates: node.updates.map(encodedUpdate) }
    return node
  },
  // Each driver decodes its results, by column name.
  transformResult: ({ result }) => Promise.resolve(result),
}

function encodedInsert(node: InsertQueryNode): InsertQueryNode {
  const names = node.columns?.map(column => column.column.name) ?? []
  const updates = node.onConflict?.updates?.map(encodedUpdate)
  const values =
    node.values && ValuesNode.is(node.values) && names.some(isJsonColumn)
      ? ValuesNode.create(node.values.values.map(row => encodedRow(row, names)))
      : node.values
  return { ...node, values, ...(updates && node.onConflict && { onConflict: { ...node.onConflict, updates } }) }
}

function encodedRow(
  row: ValueListNode | PrimitiveValueListNode,
  names: string[],
): ValueListNode | PrimitiveValueListNode {
  if (ValueListNode.is(row))
    return ValueListNode.create(row.values.map((value, index) => encodedValue(names[index] ?? '', value)))
  return PrimitiveValueListNode.create(
    row.values.map((value, index) => {
      const name = names[index] ?? ''
      return isJsonColumn(name) ? stored(name, value) : value
    }),
  )
}

function encodedUpdate(update: ColumnUpdateNode): ColumnUpdateNode {
  return ColumnUpdateNode.create(update.column, encodedValue(columnName(update.column), update.value))
}

function columnName(node: OperationNode): string {
  if (ReferenceNode.is(node)) return columnName(node.column)
  return ColumnNode.is(node) ? node.column.name : ''
}

/** Encodes plain values only; expressions and defaults are SQL. */
function encodedValue(name: string, value: OperationNode): OperationNode {
  return isJsonColumn(name) && ValueNode.is(value) ? ValueNode.create(stored(name, value.value)) : value
}

const stored = (name: string, value: unknown) =>
  value instanceof Parameter ? value.forJson(name) : encodeJson(name, value)
