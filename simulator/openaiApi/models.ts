/** GET /v1/models. Other names are answered too, except those that start with "missing". */
const MODELS = ['gpt-3.5-turbo', 'gpt-4', 'gpt-4o', 'gpt-4o-mini', 'simulated-large']

export function modelList() {
  return {
    object: 'list',
    data: MODELS.map(id => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'simulator' })),
  }
}
