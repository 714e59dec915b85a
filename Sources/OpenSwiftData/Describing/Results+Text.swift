internal import OpenObjectModel

extension FetchResultsCollection: CustomStringConvertible, CustomReflectable {
  /// A string with the type of the collection and the number of elements. Creating the string does
  /// not read a store.
  ///
  /// This is an addition to Apple's API.
  public var description: String { "\(Self.self) (\(count) in all)" }

  /// A mirror with the elements. For a batched fetch, the mirror contains only the number of
  /// elements.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    if let loadedElements {
      return Mirror(self, unlabeledChildren: loadedElements, displayStyle: .collection)
    }
    return Mirror(self, children: ["count": count], displayStyle: .struct)
  }
}

extension ResultsSection: CustomStringConvertible, CustomReflectable {
  /// A string with the title of the section and the number of models in the section.
  ///
  /// This is an addition to Apple's API.
  public var description: String { "\(Self.self) (\(title): \(count) in all)" }

  /// A mirror whose children are the models of the section.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension SectionedResults: CustomStringConvertible, CustomReflectable {
  /// A string with the title and the number of models of each section.
  ///
  /// This is an addition to Apple's API.
  public var description: String {
    "\(Self.self) (\(map { "\($0.title): \($0.count)" }.joined(separator: "; ")))"
  }

  /// A mirror whose children are the sections.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension FetchDescriptor: CustomReflectable {
  /// A mirror with the same details as ``description``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}

extension ResultsObserver: CustomDebugStringConvertible, CustomReflectable {
  private var facts: Facts<ResultsObserver> {
    Facts(
      of: self,
      [
        "fetchDescriptor": observed.descriptor, "sectionBy": observed.sectionName,
        "results": DebugText.Verbatim(observed.count, "model"),
      ])
  }

  /// A string with the descriptor, the property that determines the sections, and the number of
  /// models when the results were last updated.
  ///
  /// Observation does not track access to this property.
  ///
  /// This is an addition to Apple's API.
  public var debugDescription: String { facts.text }

  /// A mirror with the same details as ``debugDescription``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}

extension HistoryObserver: CustomDebugStringConvertible, CustomReflectable {
  private var facts: Facts<HistoryObserver> {
    Facts(
      of: self,
      [
        "observedModels": observedModels.isEmpty ? nil : observedModels.map { "\($0)" },
        "authors": authors.isEmpty ? nil : authors.sorted(), "eventCounter": knownCounter,
      ])
  }

  /// A string with the observed model types, the observed authors and the event counter.
  ///
  /// Observation does not track access to this property.
  ///
  /// This is an addition to Apple's API.
  public var debugDescription: String { facts.text }

  /// A mirror with the same details as ``debugDescription``.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { facts.mirror }
}
