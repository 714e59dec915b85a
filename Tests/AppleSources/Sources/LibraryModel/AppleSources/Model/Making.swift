// swift-format-ignore-file
//
//  Making.swift
//
//  Objects created through metatypes, and a class that overrides the designated initializer.

import CoreData
import Foundation

extension NSManagedObject {

    public class func make(in context: NSManagedObjectContext) -> Self {
        return self.init(entity: self.entity(), insertInto: context)
    }
}

public func makeObject<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) -> T {
    return T(entity: T.entity(), insertInto: context)
}
