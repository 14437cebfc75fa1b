import * as z from 'zod/mini'

// The content security policy allows no eval. Must stand before everything that makes a schema (start.js says the same for chunks).
z.config({ jitless: true })
