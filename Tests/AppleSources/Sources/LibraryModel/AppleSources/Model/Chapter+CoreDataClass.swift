// swift-format-ignore-file
//
//  Chapter+CoreDataClass.swift
//

import Foundation
import CoreData

@objc(Chapter)
public class Chapter: NSManagedObject {

}
