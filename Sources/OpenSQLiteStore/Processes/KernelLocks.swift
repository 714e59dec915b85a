import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the process that holds SQLite's own locks, if the kernel reports it. The result is used in
/// messages only.
///
/// The file is not opened, because closing it would release the locks of this process.
enum KernelLocks {
  /// Returns the processes that hold a lock on a byte of a file, or on any of its bytes.
  static func holders(of path: String, byte: Int? = nil) -> [StoreInUse.Holder] {
    #if os(Linux)
      if let byte, let other = otherHolder(of: path, byte: byte) { return [other] }
      var status = stat()
      guard stat(path, &status) == 0 else { return [] }
      var processes: Set<Int32> = []
      let name = "\(identity(UInt64(status.st_dev))):\(status.st_ino)"
      // The kernel returns a long table in portions, and may omit a line if locks are released.
      for _ in 0..<looks where processes.isEmpty {
        // May be hidden.
        let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        guard let table else { return [] }
        for line in table.split(separator: "\n") {
          if let process = process(in: line, name, byte) { processes.insert(process) }
        }
      }
      return processes.sorted().map(holder)
    #else
      return []
    #endif
  }

  /// Returns another process that holds a lock on a byte of a file. The result is nil if there is
  /// none, or if this process does not have the file open.
  static func otherHolder(of path: String, byte: Int) -> StoreInUse.Holder? {
    #if os(Linux)
      var status = stat()
      guard stat(path, &status) == 0, let process = process(locking: byte, of: status), process > 0
      else { return nil }
      return holder(process)
    #else
      return nil
    #endif
  }

  /// Returns another process that holds a lock on a byte of an open file, or nil if there is none.
  ///
  /// The kernel answers at once, whereas its table of all locks may be incomplete.
  static func process(locking byte: Int, in descriptor: Int32) -> Int32? {
    var lock = LockFile.request(Int16(F_WRLCK), .init(start: byte, length: 1))
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return lock.l_pid
  }

  #if os(Linux)
    /// The maximum number of times that the table is read while it contains no holder.
    private static let looks = 3

    private static func holder(_ process: Int32) -> StoreInUse.Holder {
      StoreInUse.Holder(
        processID: process, programName: program(process), operation: "open in SQLite")
    }

    /// Finds a descriptor of the file and uses it for the query.
    private static func process(locking byte: Int, of file: stat) -> Int32? {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      for descriptor in names.compactMap({ Int32($0) }) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_dev == file.st_dev,
          status.st_ino == file.st_ino
        else { continue }
        return process(locking: byte, in: descriptor)
      }
      return nil
    }

    /// Returns the holder in a line. The result is nil for other files, other bytes, and processes
    /// that wait for a lock.
    private static func process(in line: Substring, _ name: String, _ byte: Int?) -> Int32? {
      let fields = line.split(separator: " ")
      guard fields.count >= 8, fields[1] == "POSIX", fields[5] == name,
        let process = Int32(fields[4]), process > 0, let first = Int(fields[6])
      else { return nil }
      let last = Int(fields[7]) ?? .max  // "EOF"
      guard let byte else { return process }
      return first <= byte && byte <= last ? process : nil
    }

    private static func identity(_ device: UInt64) -> String {
      let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
      let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
      return hexadecimal(major) + ":" + hexadecimal(minor)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
      let text = String(number, radix: 16)
      return text.count < 2 ? "0" + text : text
    }

    private static func program(_ process: Int32) -> String {
      // A process may have ended, or be another user's.
      let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
      return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
  #endif
}
