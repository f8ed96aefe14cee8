// What `prisma generate` of Prisma 7.10.0 makes of schema.prisma, reduced to what the tests of the adapter use. The configuration and
// the types of queries and transactions are those of the generated files; the model has only the operations of the tests. Prisma's
// command line, which generates clients, is no dependency.
// biome-ignore-all lint/suspicious/noExplicitAny: Prisma generates these types.
import { readFileSync } from 'node:fs'
import * as runtime from 'test-prisma-client/runtime/client'

type Result<T> = runtime.Types.Public.PrismaPromise<T>
type Sql = TemplateStringsArray | runtime.Sql
type Limits = { maxWait?: number; timeout?: number; isolationLevel?: IsolationLevel }
type IsolationLevel = 'ReadUncommitted' | 'ReadCommitted' | 'RepeatableRead' | 'Serializable'

type Greeting = { id: number; note: string }
type GreetingData = { note: string }
type GreetingDelegate = {
  count(): Result<number>
  create(args: { data: GreetingData }): Result<Greeting>
  upsert(args: { where: { id: number }; create: GreetingData; update: GreetingData }): Result<Greeting>
}

export interface PrismaClient {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
  $executeRaw<_ = unknown>(query: Sql, ...values: any[]): Result<number>
  $executeRawUnsafe<_ = unknown>(query: string, ...values: any[]): Result<number>
  $queryRaw<T = unknown>(query: Sql, ...values: any[]): Result<T>
  $queryRawUnsafe<T = unknown>(query: string, ...values: any[]): Result<T>
  $transaction<P extends Result<any>[]>(
    arg: [...P],
    options?: Limits,
  ): Promise<runtime.Types.Utils.UnwrapTuple<P>>
  $transaction<R>(
    fn: (prisma: Omit<PrismaClient, runtime.ITXClientDenyList>) => Promise<R>,
    options?: Limits,
  ): Promise<R>
  get greeting(): GreetingDelegate
}

const load = (name: string) => import(`test-prisma-client/runtime/query_compiler_small_bg.postgresql.${name}`)

const config = {
  previewFeatures: [],
  clientVersion: '7.10.0',
  engineVersion: '0edf323efd1d98336f3f0a68684b56f689b900d3',
  activeProvider: 'postgresql',
  inlineSchema: readFileSync(new URL('schema.prisma', import.meta.url), 'utf8'),
  runtimeDataModel: {
    models: {
      Greeting: {
        fields: [
          { name: 'id', kind: 'scalar', type: 'Int' },
          { name: 'note', kind: 'scalar', type: 'String' },
        ],
        dbName: 'greetings',
        schema: null,
      },
    },
    enums: {},
    types: {},
  },
  parameterizationSchema: {
    strings:
      'where Greeting.findUnique Greeting.findUniqueOrThrow orderBy cursor Greeting.findFirst Greeting.findFirstOrThrow Greeting.findMany data Greeting.createOne Greeting.createMany Greeting.createManyAndReturn Greeting.updateOne Greeting.updateMany Greeting.updateManyAndReturn create update Greeting.upsertOne Greeting.deleteOne Greeting.deleteMany having _count _avg _sum _min _max Greeting.groupBy Greeting.aggregate AND OR NOT id note equals in notIn lt lte gt gte contains startsWith endsWith not set increment decrement multiply divide'.split(
        ' ',
      ),
    graph:
      'KwsQBRwAACIAMB0AAAQAEB4AACIAMB8CAAAAASABACQAIQEAAAABACABAAAAAQAgBRwAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACHwIAAAABIAEAAAABAQgAAAkAIAIfAgAAAAEgAQAAAAEBCAAACwAwAQgAAAsAMAIfAgArACEgAQAqACECAAAAAQAgCAAADgAgAh8CACsAISABACoAIQIAAAAEACAIAAAQACACAAAABAAgCAAAEAAgAwAAAAEAIA8AAAkAIBAAAA4AIAEAAAABACABAAAABAAgBRUAACUAIBYAACYAIBcAACkAIBgAACgAIBkAACcAIAUcAAAaADAdAAAXABAeAAAaADAfAgAbACEgAQAcACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAUcAAAaADAdAAAXABAeAAAaADAfAgAbACEgAQAcACENFQAAHgAgFgAAIQAgFwAAHgAgGAAAHgAgGQAAHgAgIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAIAAhDhUAAB4AIBgAAB8AIBkAAB8AICEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB0AIQ4VAAAeACAYAAAfACAZAAAfACAhAQAAAAEiAQAAAAQjAQAAAAQkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAAAAErAQAdACEIIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAHgAhCyEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB8AIQ0VAAAeACAWAAAhACAXAAAeACAYAAAeACAZAAAeACAhAgAAAAEiAgAAAAQjAgAAAAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAgACEIIQgAAAABIggAAAAEIwgAAAAEJAgAAAABJQgAAAABJggAAAABJwgAAAABKwgAIQAhBRwAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQghAgAAAAEiAgAAAAQjAgAAAAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAeACELIQEAAAABIgEAAAAEIwEAAAAEJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAAAABKwEAHwAhAAAAAAABLAEAAAABBSwCAAAAAS0CAAAAAS4CAAAAAS8CAAAAATACAAAAAQAAAAAFFQAGFgAHFwAIGAAJGQAKAAAAAAAFFQAGFgAHFwAIGAAJGQAKAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkL',
  },
  compilerWasm: {
    getRuntime: () => load('mjs'),
    async getQueryCompilerWasmModule() {
      const { wasm } = await load('wasm-base64.mjs')
      // @ts-expect-error The types of Node have no constructor of modules.
      return new WebAssembly.Module(Buffer.from(wasm, 'base64'))
    },
    importName: './query_compiler_small_bg.js',
  },
}

type Options = { adapter: runtime.SqlDriverAdapterFactory }
type Constructor = new (options: Options) => PrismaClient

export const PrismaClient = runtime.getPrismaClient(
  config as unknown as runtime.GetPrismaClientConfig,
) as unknown as Constructor
