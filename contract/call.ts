import type * as z from 'zod/mini'

/** Who may make a call. A Call without it does not compile, and server/access.test.ts tests every call by it. */
export type Access = 'anyone' | 'user' | 'superuser'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Schema = z.ZodMiniType

/** One call of the API. Paths are relative to /api; `null` means that the call takes no such part. */
export type Call = {
  access: Access
  method: Method
  path: `/${string}`
  /** One line for the API browser. */
  summary: string
  params: Schema | null
  query: Schema | null
  body: Schema | null
  /**
   * How the body arrives: JSON unless said otherwise; a form is urlencoded or multipart; a file is one multipart file;
   * parts are those of a multipart form, files among them; content is the bytes of a file, of any type.
   */
  bodyKind?: 'json' | 'form' | 'file' | 'parts' | 'content'
  /**
   * What is answered: JSON in an envelope unless said otherwise. A file is sent as it is; Range and HEAD requests work.
   */
  resultKind?: 'json' | 'file'
  /** `z.null()` for calls that answer without data, which then carry an empty message. */
  result: Schema
}

/** Defaults of a Call, spread into it first: it takes no parameters, query or body but those named after it. */
export const nothing = { params: null, query: null, body: null } as const

type OutputOf<S> = S extends Schema ? z.output<S> : undefined
type InputOf<S> = S extends Schema ? z.input<S> : undefined

/** What the server's handler gets, parsed. */
export type ParamsOf<C extends Call> = OutputOf<C['params']>
export type QueryOf<C extends Call> = OutputOf<C['query']>
export type BodyOf<C extends Call> = OutputOf<C['body']>
export type ResultOf<C extends Call> = z.output<C['result']>

type Part<Name extends string, S> = S extends Schema ? { [K in Name]: InputOf<S> } : { [K in Name]?: undefined }

/** What the caller must pass. */
export type CallArguments<C extends Call> = Part<'params', C['params']> &
  Part<'query', C['query']> &
  Part<'body', C['body']>
