// The whole contract of a store, on SQLite in the file of an application.
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { IN_APPLICATION } from './support/in-application.ts'
import { useStoreFiles } from './support/store-files.ts'

describeStoreContract('SQLite in the file of an application', useStoreFiles(IN_APPLICATION))
