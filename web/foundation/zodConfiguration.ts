import * as z from 'zod/mini'

// The content security policy allows no eval. Imported before any module that makes a schema.
z.config({ jitless: true })
