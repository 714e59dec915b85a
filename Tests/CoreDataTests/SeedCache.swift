import CoreData
import Foundation
import OpenPersistenceKit

class CacheManager {
  let memoryCache = NSCache<NSString, AnyObject>()
  private let diskCacheURL: URL
  private var observation: MemoryPressureObservation?

  init(
    caches: URL = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0],
    pressure: any MemoryPressureSource = SystemMemoryPressure.shared
  ) {
    diskCacheURL =
      caches
      .appendingPathComponent("DataCache")

    try? FileManager.default.createDirectory(at: diskCacheURL, withIntermediateDirectories: true)

    // Configure memory cache
    memoryCache.countLimit = 100
    memoryCache.totalCostLimit = 50 * 1024 * 1024  // 50MB

    // Listen for memory warnings, which come from the kernel here
    observation = pressure.observe { [weak self] _ in self?.clearMemoryCache() }
  }

  private func clearMemoryCache() {
    memoryCache.removeAllObjects()
  }

  func cleanupOldData(in context: NSManagedObjectContext) {
    // Remove data older than 30 days
    let cutoffDate = Date().addingTimeInterval(-30 * 24 * 60 * 60)

    // Posts go first: without their threads they would not be found any more
    let postsRepository = PostsRepository(context: context)
    let oldPostsPredicate = NSPredicate(format: "thread.lastRefresh < %@", cutoffDate as NSDate)
    postsRepository.deleteAll(predicate: oldPostsPredicate)

    let threadsRepository = ThreadsRepository(context: context)
    let oldThreadsPredicate = NSPredicate(format: "lastRefresh < %@", cutoffDate as NSDate)
    threadsRepository.deleteAll(predicate: oldThreadsPredicate)
  }
}
