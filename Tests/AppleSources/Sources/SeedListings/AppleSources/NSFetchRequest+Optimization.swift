// swift-format-ignore-file
import CoreData

extension NSFetchRequest {
    func optimizeForPerformance() {
        // Optimize for performance
        includesSubentities = false
        includesPropertyValues = true
        returnsObjectsAsFaults = false
        
        // Set reasonable batch size
        fetchBatchSize = 20
        
        // Use appropriate relationship key paths
        relationshipKeyPathsForPrefetching = ["forum", "posts"]
    }
    
    func optimizeForMemory() {
        // Optimize for memory usage
        includesPropertyValues = false
        returnsObjectsAsFaults = true
        
        // Smaller batch size
        fetchBatchSize = 10
    }
}
