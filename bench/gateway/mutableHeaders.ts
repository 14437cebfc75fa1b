// Loaded into Portkey before its own code: it adds headers to what `fetch` gives it, which Node does not allow, and
// streams nothing without this.
const { fetch: original, Response: NodeResponse } = globalThis

globalThis.fetch = async (...given) => {
  const { body, status, statusText, headers } = await original(...given)
  return new NodeResponse(body, { status, statusText, headers })
}
export {}
