import Dispatch
import Foundation
import OpenStoreContract
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reports changes of files by any process, using the kernel's notifications (inotify).
///
/// Shared between threads. There is one watcher for the process, which has a descriptor and a queue
/// only while files are watched.
final class FileWatcher: Sendable {
  static let shared = FileWatcher()

  #if canImport(Glibc) || canImport(Musl)
    /// The kernel's bit masks for file events.
    struct Events: OptionSet, Sendable {
      let rawValue: UInt32

      static let written = Events(rawValue: 0x2)
      static let closedByWriter = Events(rawValue: 0x8)
      static let arrived = Events(rawValue: 0x80)
      static let made = Events(rawValue: 0x100)
      /// The kernel lost events, so that any file may have changed.
      static let overflow = Events(rawValue: 0x4000)
      /// The file was deleted, and is no longer watched.
      static let ended = Events(rawValue: 0x8000)

      /// A file was written, or was closed by a process that could write to it.
      static let contents: Events = [.written, .closedByWriter]
      /// A file was added to a folder.
      static let names: Events = [.made, .arrived]
    }

    // Invariant of the unchecked conformance: immutable, and sources may be canceled on any
    // thread.
    private struct Source: @unchecked Sendable {
      let descriptor: Int32
      let source: any DispatchSourceRead
    }

    private struct Listener {
      var events: Events
      /// The only relevant file of a folder, or nil for all files.
      var name: String?
      var handler: @Sendable () -> Void
    }

    /// The registration of a listener's handler for one watch.
    private struct Registration: Hashable {
      let watch: Int32
      let listener: Int
    }

    private struct State {
      var source: Source?
      /// The handlers by watch, and by the number of their listener.
      var listeners: [Int32: [Int: Listener]] = [:]
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "OpenCoreData.FileWatcher")

    /// Adds a handler for changes of a file or folder. If the listener already watches the path,
    /// the handler replaces its previous handler.
    ///
    /// - Parameters:
    ///   - path: The path of the file or folder.
    ///   - events: The events to watch, which must be the same for all listeners of the path.
    ///   - name: The only relevant file of a folder, or nil for all files.
    ///   - listener: The number of the listener.
    ///   - handler: A closure that is called on the watcher's queue. It must return quickly.
    /// - Returns: Whether the file exists.
    /// - Throws: `StoreError` if the system rejects the watch.
    func watch(
      _ path: String, for events: Events, name: String? = nil, by listener: Int,
      _ handler: @escaping @Sendable () -> Void
    ) throws(StoreError) -> Bool {
      try state.withLock { (state) throws(StoreError) in
        let source: Source
        if let known = state.source { source = known } else { source = try makeSource() }
        state.source = source
        defer { closeIfIdle(&state) }
        let watch = inotify_add_watch(source.descriptor, path, events.rawValue)
        if watch < 0, errno == ENOENT { return false }
        guard watch >= 0 else { throw Self.failure(path) }
        let entry = Listener(events: events, name: name, handler: handler)
        state.listeners[watch, default: [:]][listener] = entry
        return true
      }
    }

    /// Ends all watches of a listener.
    func end(_ listener: Int) {
      state.withLock { state in
        for (watch, var listeners) in state.listeners
        where listeners.removeValue(forKey: listener) != nil {
          state.listeners[watch] = listeners.isEmpty ? nil : listeners
          if listeners.isEmpty, let source = state.source {
            inotify_rm_watch(source.descriptor, watch)
          }
        }
        closeIfIdle(&state)
      }
    }

    private func makeSource() throws(StoreError) -> Source {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { throw Self.failure(nil) }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.readEvents(descriptor) }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      return Source(descriptor: descriptor, source: source)
    }

    private func closeIfIdle(_ state: inout State) {
      guard state.listeners.isEmpty else { return }
      state.source?.source.cancel()
      state.source = nil
    }

    private static func failure(_ path: String?) -> StoreError {
      StoreError(
        .inputOutput,
        "The system cannot watch files (\(String(cString: strerror(errno)))), so changes by other processes are not "
          + "reported. Check the limits in /proc/sys/fs/inotify.", path: path)
    }

    // MARK: Events

    private func readEvents(_ descriptor: Int32) {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      var told: [Registration: @Sendable () -> Void] = [:]
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        buffer.withUnsafeBytes { bytes in
          note(UnsafeRawBufferPointer(rebasing: bytes[..<count]), of: descriptor, in: &told)
        }
      }
      for handler in told.values { handler() }
    }

    /// Collects the handlers of the events in a buffer.
    private func note(
      _ bytes: UnsafeRawBufferPointer, of descriptor: Int32,
      in told: inout [Registration: @Sendable () -> Void]
    ) {
      let headLength = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + headLength <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = offset + headLength + Int(event.len)
        guard end <= bytes.count else { return }
        let name = bytes[(offset + headLength)..<end].prefix { $0 != 0 }
        let events = Events(rawValue: event.mask)
        for (registration, listener) in listeners(of: event.wd, events, descriptor)
        where listener.name.map({ name.elementsEqual($0.utf8) }) ?? true || events == .overflow {
          told[registration] = listener.handler
        }
        offset = end
      }
    }

    private func listeners(
      of watch: Int32, _ events: Events, _ descriptor: Int32
    ) -> [(Registration, Listener)] {
      state.withLock { state in
        // A descriptor that was closed meanwhile may have left events.
        guard state.source?.descriptor == descriptor else { return [] }
        let watches = events.contains(.overflow) ? Array(state.listeners.keys) : [watch]
        let found = watches.flatMap { watch in
          (state.listeners[watch] ?? [:]).map { number, listener in
            (Registration(watch: watch, listener: number), listener)
          }
        }
        if events.contains(.ended) { state.listeners[watch] = nil }
        return found
      }
    }
  #endif
}
