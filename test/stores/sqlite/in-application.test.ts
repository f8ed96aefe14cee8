// The SQLite store in the file of an application: its names have a prefix, its statements are those of the SQLite store.
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { IN_APPLICATION } from './support/in-application.ts'
import { useStoreFiles } from './support/store-files.ts'

describeStoreContract('SQLite in the file of an application', useStoreFiles(IN_APPLICATION), {
  subset: 'transport',
})
