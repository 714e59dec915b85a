import OpenPostgresStore
import OpenStoreCommands

PostgresStore.register()
StoreProgram.run()
