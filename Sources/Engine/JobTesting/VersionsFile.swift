public import BatonPostgres
public import Foundation

/// A part's file `versions.sql`, which gives every set of its functions, views and triggers a number.
///
/// A program never puts its set in the place of one with a higher number. So whoever changes one of them
/// appends a line, and ``JobTest/checkVersions(of:at:)`` says which.
public struct VersionsFile: Sendable {
  /// One set: the line `-- NUMBER HASH`.
  public struct Line: Sendable, Equatable, CustomStringConvertible {
    /// 1 for the first set, and one more for each that followed.
    public let number: Int
    /// The start of the SHA-256 of its files.
    public let hash: String
    /// As it stands in the file.
    public var description: String { "-- \(number) \(hash)" }
  }

  /// The sets, oldest first.
  public let lines: [Line]

  /// The sets in the text of such a file; other lines are comments.
  public init(_ text: String) {
    lines = text.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /-- (\d+) ([0-9a-f]+)/) else { return nil }
      return Int(match.1).map { Line(number: $0, hash: String(match.2)) }
    }
  }

  /// What is wrong with the file where the functions, views and triggers have this hash; nil: nothing.
  func problem(of part: SchemaPart, hash: String, at file: String) -> VersionsProblem? {
    guard lines.map(\.number) == Array(0..<lines.count).map({ $0 + 1 }) else {
      return VersionsProblem("The numbers in \(file) have to be 1, 2, 3 and so on.")
    }
    guard !part.objects.isEmpty, lines.last?.hash != hash else { return nil }
    return VersionsProblem(
      """
      Functions, views or triggers of the part '\(part.name)' have changed. Append this line to \(file):
      \(Line(number: lines.count + 1, hash: hash))
      """)
  }
}

/// What is wrong with a file `versions.sql`, and what to do.
public struct VersionsProblem: Error, Sendable, CustomStringConvertible {
  /// In words.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension JobTest {
  /// Checks that the newest number in a part's `versions.sql` is that of its functions, views and triggers.
  ///
  /// ```swift
  /// try await test.checkVersions(of: SQL.orders, at: folder.appending(path: "sql/versions.sql"))
  /// ```
  /// - Throws: ``VersionsProblem`` that says which line to append; `PostgresError`.
  public func checkVersions(of part: SchemaPart, at file: URL) async throws {
    // Who has none yet is told its first line.
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let hash = try await hash(of: part)
    if let problem = VersionsFile(text).problem(
      of: part, hash: hash, at: file.path(percentEncoded: false))
    {
      throw problem
    }
  }

  /// The start of the SHA-256 of a part's functions, views and triggers, each with its path before it, and of
  /// which functions an API may execute.
  func hash(of part: SchemaPart) async throws(PostgresError) -> String {
    let files = part.objects.map { object in
      (path: "\(object.kind)s/\(object.name).sql", text: object.statement.text)
    }
    let list = part.api.sorted().joined(separator: "\n")
    let api = list.isEmpty ? [] : [(path: "api.sql", text: list)]
    let text = (files + api).sorted { $0.path < $1.path }.map { "\($0.path)\n\($0.text)" }.joined()
    let call = Call.row(
      Statement(
        "test/hash", "select left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 16)"), text
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
    let connection = try await connect()
    let hash = try await connection.run(call)
    await connection.close()
    return hash
  }
}
