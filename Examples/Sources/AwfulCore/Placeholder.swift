// AwfulCore
