import BatonPostgres
import ChallengesPostgres
import ChallengesSQL
import Foundation

/// The export of a replay's closed weeks into two files of JSON lines.
///
/// After a closed week's results are exported, the lengths of the two export files are stored in a
/// third file. If a replay is killed before the lengths are stored, the next replay truncates the
/// export files to the last stored lengths. A week whose export was interrupted is exported again.
/// Each line is exported exactly once, even if a replay is killed.
struct ReplayExport {
  private static let boards = "boards.jsonl"
  private static let notifications = "notifications.jsonl"
  private static let notes = ".closes"

  private let folder: URL

  /// Creates an export into a folder, creating the folder if it is missing.
  ///
  /// - Throws: ``ReplayFailure/cannotExport(_:_:)`` if the folder cannot be used.
  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    try Self.complaining(folder) {
      try FileManager.default.createDirectory(
        at: self.folder, withIntermediateDirectories: true)
    }
  }

  /// Deletes incomplete lines, and writes the boards that were closed after the last complete
  /// export.
  ///
  /// Before writing, the method checks that the export files belong to this replay and that no
  /// board was deleted before its export.
  ///
  /// - Throws: ``ReplayFailure/cannotExport(_:_:)`` if the export files belong to another replay.
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
      // If no week has been closed, the replay has not exported anything, so the files must be
      // empty.
      !closes.isEmpty || isEmpty,
      // A first export is rejected if boards were already deleted, because the export would be
      // incomplete.
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

  /// Writes the boards that were closed at a given time, and the notifications about them.
  ///
  /// If an error occurs, the next replay deletes the lines that were already written for this time.
  ///
  /// - Throws: ``ReplayFailure/cannotWrite(_:_:)`` if a file cannot be written.
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

  /// Appends lines to a file and returns the file's new length in bytes.
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
