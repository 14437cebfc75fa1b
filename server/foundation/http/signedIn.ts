/** Who is signed in, as far as this layer must know. */
export type SignedIn = { id: number; is_superuser: boolean }
