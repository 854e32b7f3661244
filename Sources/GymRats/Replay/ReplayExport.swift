import BatonPostgres
import ChallengesPostgres
import ChallengesSQL
import Foundation

/// The exported weeks of a replay, in two files of lines.
///
/// A close is written to both files and then noted, with their lengths, in a third. A replay that was killed in
/// between cuts the files back to the last note and writes the close again, so that each line is there once.
struct ReplayExport {
  private static let boards = "boards.jsonl"
  private static let notifications = "notifications.jsonl"
  private static let notes = ".closes"

  private let folder: URL

  /// An export into a folder, which is made if it is missing.
  ///
  /// - Throws: ``ReplayFailure/cannotExport(_:_:)``.
  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    try Self.complaining(folder) {
      try FileManager.default.createDirectory(
        at: self.folder, withIntermediateDirectories: true)
    }
  }

  /// Cuts back what was begun and not noted, and writes what closed since the last note.
  ///
  /// - Throws: ``ReplayFailure/cannotExport(_:_:)`` where the files are not those of this replay:
  ///   another's would be mixed with ours, and boards that were not exported may be gone by now.
  func resume(on connection: Connection, in schema: Schema) async throws {
    let list = Call.rows(SQL.Replay.listCloses) { (row) throws(PostgresError) in
      let (at, hasGone) = try row.decode(Timestamp.self, Bool.self)
      return (at: at, hasGone: hasGone)
    }
    let closes: [(at: Timestamp, hasGone: Bool)] = try await connection.atomically(
      in: schema, list)
    let (noted, isEmpty) = try Self.complaining(folder.path) {
      (
        try readNotes(),
        try [Self.boards, Self.notifications].allSatisfy { try length(of: $0) == 0 }
      )
    }
    let missing = closes.map(\.at).filter { $0.microseconds > noted.last?.at ?? .min }
    guard missing.count <= 1, noted.last?.at ?? .min <= closes.last?.at.microseconds ?? .min,
      // Before the first close the files must be empty: other content would be cut off.
      !closes.isEmpty || isEmpty,
      // The only stored close must be the replay's first one.
      !noted.isEmpty || closes.first?.hasGone != true
    else {
      throw ReplayFailure.cannotExport(
        folder.path, "the files in it are not those of this replay so far")
    }
    try Self.complaining(folder.path) {
      try cut(Self.boards, to: noted.last?.boards ?? 0)
      try cut(Self.notifications, to: noted.last?.notifications ?? 0)
    }
    for close in missing { try await append(closedAt: close, on: connection, in: schema) }
  }

  /// Writes the boards that closed at an instant, and the notifications about them.
  ///
  /// - Throws: ``ReplayFailure/cannotWrite(_:_:)``; unfinished lines are cut off when the replay is resumed.
  func append(closedAt: Timestamp, on connection: Connection, in schema: Schema) async throws {
    let (boards, notifications): ([Standing], [FinalNotification]) =
      try await connection.atomically(
        in: schema, Boards.closed(at: closedAt), FinalNotification.list(closedAt: closedAt))
    guard !boards.isEmpty || !notifications.isEmpty else { return }
    let text = try (boards.map { try $0.jsonLine }, notifications.map { try $0.jsonLine })
    try Self.complaining(folder.path, ReplayFailure.cannotWrite) {
      let lengths = (
        try append(text.0, to: Self.boards), try append(text.1, to: Self.notifications)
      )
      _ = try append(["\(closedAt.microseconds) \(lengths.0) \(lengths.1)"], to: Self.notes)
    }
  }

  // MARK: Files

  private struct Note {
    let at: Int64
    let boards, notifications: UInt64
  }

  private func readNotes() throws -> [Note] {
    let path = folder.appending(path: Self.notes)
    guard FileManager.default.fileExists(atPath: path.path) else { return [] }
    let text = try String(contentsOf: path, encoding: .utf8)
    let complete = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try cut(Self.notes, to: UInt64(complete.map { $0.utf8.count + 1 }.reduce(0, +)))
    return complete.compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 3, let at = Int64(parts[0]), let boards = UInt64(parts[1]),
        let notifications = UInt64(parts[2])
      else { return nil }
      return Note(at: at, boards: boards, notifications: notifications)
    }
  }

  private func length(of name: String) throws -> UInt64 {
    let path = folder.appending(path: name).path
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
  }

  private func cut(_ name: String, to length: UInt64) throws {
    let handle = try open(name)
    defer { try? handle.close() }
    guard try handle.seekToEnd() >= length else { throw CocoaError(.fileReadCorruptFile) }
    try handle.truncate(atOffset: length)
  }

  /// Appends lines; returns the length of the file after them.
  private func append(_ lines: [String], to name: String) throws -> UInt64 {
    let handle = try open(name)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    return try handle.offset()
  }

  private func open(_ name: String) throws -> FileHandle {
    let path = folder.appending(path: name)
    if !FileManager.default.fileExists(atPath: path.path) {
      try Data().write(to: path)
    }
    return try FileHandle(forUpdating: path)
  }

  private static func complaining<R>(
    _ folder: String, _ failure: (String, String) -> ReplayFailure = ReplayFailure.cannotExport,
    _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch let error as ReplayFailure {
      throw error
    } catch {
      throw failure(folder, error.localizedDescription)
    }
  }
}
