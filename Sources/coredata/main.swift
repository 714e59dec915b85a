import OpenStoreCommands

StoreProgram.run()
