// The whole contract of a store, on PostgreSQL behind a pooler in transaction mode.
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { usePooler } from './support/pooled-store.ts'

describeStoreContract('PostgreSQL, in another schema and through sessions that forget,', usePooler().open)
