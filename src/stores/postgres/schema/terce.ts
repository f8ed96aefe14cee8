// The schema that all objects of Terce lie in. SQL names it `terce`; a connection to an installation in another schema
// replaces the name.
import { pgSchema } from 'drizzle-orm/pg-core'

export const SCHEMA = 'terce'

export const terce = pgSchema(SCHEMA)
