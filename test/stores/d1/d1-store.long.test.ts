// The whole contract of a store, on the D1 of workerd.
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { useD1 } from './support/d1-store.ts'

describeStoreContract('D1', useD1().open)
