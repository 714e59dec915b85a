// swift-format-ignore-file
import CoreData

// Statements at the top level, as only a file with this name has them.

let request = NSFetchRequest<Leaf>(entityName: "Leaf")
request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Leaf.title), ascending: true)]
print(request.sortDescriptors?.count ?? 0)
