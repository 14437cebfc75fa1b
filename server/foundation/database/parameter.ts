import { encodeJson } from './codec.ts'

/** A placeholder in a prepared query, replaced by a value at each run (prepared.ts). */
export class Parameter {
  readonly #name: string
  readonly #jsonColumn: string | null

  constructor(name: string, jsonColumn: string | null = null) {
    this.#name = name
    this.#jsonColumn = jsonColumn
  }

  /** The same for a json column, whose values are encoded. */
  forJson(column: string): Parameter {
    return new Parameter(this.#name, column)
  }

  valueIn(values: object): unknown {
    const value: unknown = Reflect.get(values, this.#name)
    if (value === undefined) throw new TypeError(`a prepared query was given no ${this.#name}`)
    return this.#jsonColumn === null ? value : encodeJson(this.#jsonColumn, value)
  }
}
