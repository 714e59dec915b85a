internal import OpenObjectModel

extension FetchResultsCollection: CustomStringConvertible, CustomReflectable {
  /// The number of elements; nothing is read from a store.
  ///
  /// > Reference: Addition.
  public var description: String { "\(Self.self) (\(count) in all)" }

  /// The elements of an observer's results; the number of those that are read in batches.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror {
    if let loadedElements {
      return Mirror(self, unlabeledChildren: loadedElements, displayStyle: .collection)
    }
    return Mirror(self, children: ["count": count], displayStyle: .struct)
  }
}

extension ResultsSection: CustomStringConvertible, CustomReflectable {
  /// The title and the number of models.
  ///
  /// > Reference: Addition.
  public var description: String { "\(Self.self) (\(title): \(count) in all)" }

  /// The models.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension SectionedResults: CustomStringConvertible, CustomReflectable {
  /// The titles of the sections, and the number of models of each.
  ///
  /// > Reference: Addition.
  public var description: String {
    "\(Self.self) (\(map { "\($0.title): \($0.count)" }.joined(separator: "; ")))"
  }

  /// The sections.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension FetchDescriptor: CustomReflectable {
  /// The facts of ``description``.
  ///
  /// > Reference: Addition.
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

  /// The descriptor, the property of the sections, and the number of models when the results were last updated.
  ///
  /// Reading it does not take part in Observation.
  ///
  /// > Reference: Addition.
  public var debugDescription: String { facts.text }

  /// The facts of ``debugDescription``.
  ///
  /// > Reference: Addition.
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

  /// The models, the authors and the counter.
  ///
  /// Reading it does not take part in Observation.
  ///
  /// > Reference: Addition.
  public var debugDescription: String { facts.text }

  /// The facts of ``debugDescription``.
  ///
  /// > Reference: Addition.
  public var customMirror: Mirror { facts.mirror }
}
