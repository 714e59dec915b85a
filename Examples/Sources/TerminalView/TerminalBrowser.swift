/// A stack of lists in a terminal. The last list is shown, updated live and navigated with the keyboard.
///
/// Confined to the task that runs it.
public struct TerminalBrowser<Places: TerminalPlaces> {
  /// An event that the browser handles.
  package enum Event: Sendable {
    case key(Key)
    /// The rows of a place were read.
    case rows(Places.Place, [TerminalRow])
    /// The work started by a key has ended.
    case said(String)
    case failed(any Error)
  }

  // The types of stored properties are not private: in release builds the compiler crashes in modules that contain a browser.

  /// A place on the stack, with its rows.
  package struct Level {
    let place: Places.Place
    package var list: ListState
    let following: Task<Void, Never>
  }

  /// A line that the user is typing.
  package struct Question {
    let text: String
    let answer: @Sendable (String) -> TerminalAction<Places.Place>?
    var typed = ""
  }

  private var keys: String {
    (places.furtherKeys.isEmpty ? "" : "\(places.furtherKeys) · ")
      + "j k move · Enter opens · u back · n p pages · q quits"
  }

  private let places: Places
  private let report: @Sendable (Event) -> Void
  private var levels: [Level] = []
  private var question: Question?
  /// Whether the user has quit.
  package private(set) var isOver = false

  /// Creates a browser that shows the first place.
  ///
  /// - Parameter report: Receives later events, which must be passed to `handle(_:)`.
  package init(_ places: Places, report: @escaping @Sendable (Event) -> Void) {
    self.places = places
    self.report = report
    open(places.start)
  }

  /// Shows places in the process's terminal until the user quits.
  ///
  /// - Parameter places: The places of the application.
  /// - Returns: `false` if there is no terminal.
  /// - Throws: Any error that following a place throws; the terminal is then restored.
  public static func run(_ places: Places) async throws -> Bool {
    guard let screen = TerminalScreen() else { return false }
    defer { screen.close() }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let keys = screen.pressedKeys
    let reading = Task {
      for await key in keys { continuation.yield(.key(key)) }
      continuation.yield(.key(.closed))
    }
    defer { reading.cancel() }
    var browser = TerminalBrowser(places) { continuation.yield($0) }
    defer { browser.close() }
    for await event in events {
      try browser.handle(event)
      if browser.isOver { break }
      screen.draw(&browser.levels[browser.levels.count - 1].list)
    }
    return true
  }

  /// The list on screen.
  package var list: ListState { levels[levels.count - 1].list }

  /// Stops following all places.
  func close() {
    for level in levels { level.following.cancel() }
  }

  // MARK: Events

  /// Handles an event.
  ///
  /// - Throws: The error that ended following a place.
  package mutating func handle(_ event: Event) throws {
    switch event {
    case .failed(let error): throw error
    case .said(let text): setStatus(text)
    case .rows(let place, let rows):
      // A place can be on the stack more than once.
      for level in levels.indices where levels[level].place == place {
        levels[level].list.setRows(rows)
      }
    case .key(let key):
      if question == nil { press(key) } else { type(key) }
    }
  }

  private mutating func press(_ key: Key) {
    if key != .resized { setStatus(places.help) }
    switch key {
    case .down, .character("j"), .character(" "): move(by: 1)
    case .up, .character("k"): move(by: -1)
    case .pageDown: move(by: 20)
    case .pageUp: move(by: -20)
    case .home: move(by: -1_000_000)
    case .end: move(by: 1_000_000)
    case .enter, .character("o"): openSelected()
    case .back, .character("u"): goBack()
    case .character("n"): turn(by: 1)
    case .character("p"): turn(by: -1)
    case .character("?"): setStatus(keys)
    case .character("q"), .closed: isOver = true
    case .character(let character): act(on: character)
    case .resized: break
    }
  }

  private mutating func act(on key: Character) {
    guard let level = levels.last else { return }
    perform(places.action(of: key, in: level.place, row: level.list.selectedRow))
  }

  private mutating func perform(_ action: TerminalAction<Places.Place>?) {
    switch action {
    case nil: break
    case .open(let place): open(place)
    case .replace(let place): replace(with: place)
    case .ask(let text, let answer):
      question = Question(text: text, answer: answer)
      showQuestion()
    case .run(let work):
      let report = report
      Task {
        do { report(.said(try await work())) } catch {
          report(.said(ErrorText.sentence(of: error)))
        }
      }
    }
  }

  // MARK: Questions

  private mutating func type(_ key: Key) {
    switch key {
    case .character(let character):
      question?.typed.append(character)
      showQuestion()
    case .back where question?.typed.isEmpty == false:
      question?.typed.removeLast()
      showQuestion()
    case .enter: answer()
    case .back:
      question = nil
      setStatus(places.help)
    case .closed: isOver = true
    default: break
    }
  }

  private mutating func answer() {
    guard let asked = question else { return }
    question = nil
    setStatus(places.help)
    perform(asked.answer(asked.typed))
  }

  private mutating func showQuestion() {
    if let question { setStatus("\(question.text): \(question.typed)▏") }
  }

  // MARK: Places

  private mutating func setStatus(_ text: String) { levels[levels.count - 1].list.status = text }

  private mutating func move(by step: Int) { levels[levels.count - 1].list.move(by: step) }

  private mutating func open(_ place: Places.Place) {
    var list = ListState(title: places.title(of: place), emptyText: "This list is empty.")
    list.status = places.help
    let (places, report) = (places, report)
    let following = Task {
      do {
        try await places.follow(place) { report(.rows(place, $0)) }
      } catch {
        if !Task.isCancelled { report(.failed(error)) }
      }
    }
    levels.append(Level(place: place, list: list, following: following))
  }

  private mutating func openSelected() {
    guard let level = levels.last, let row = level.list.selectedRow,
      let place = places.place(opening: row, in: level.place)
    else { return }
    open(place)
  }

  private mutating func goBack() {
    guard levels.count > 1 else { return }
    levels.removeLast().following.cancel()
  }

  /// Shows another page of the same list.
  private mutating func turn(by step: Int) {
    guard let level = levels.last, let place = places.page(of: level.place, by: step) else {
      return
    }
    // There is nothing to read after the last page.
    if step > 0, level.list.rows.isEmpty { return }
    replace(with: place)
  }

  private mutating func replace(with place: Places.Place) {
    levels.removeLast().following.cancel()
    open(place)
  }
}
