public import BatonPostgres
public import Foundation

/// A schema module's `versions.sql` file, which contains the version numbers of the functions,
/// views and triggers.
///
/// A program never replaces functions, views and triggers whose version is higher than the
/// program's version. Each change to a function, view or trigger needs a new line.
/// ``JobTest/checkVersions(of:at:)`` reports a missing line.
public struct VersionsFile: Sendable {
  /// A version in the file, which is written as the line `-- NUMBER HASH`.
  public struct Line: Sendable, Equatable, CustomStringConvertible {
    /// The version's number, which is 1 for the first version and increases by 1 for each new
    /// version.
    public let number: Int
    /// The first digits of the SHA-256 hash of the version's files.
    public let hash: String
    /// The version as a line in the file.
    public var description: String { "-- \(number) \(hash)" }
  }

  /// The versions, oldest first.
  public let lines: [Line]

  /// Parses the text of a versions file.
  ///
  /// Lines that are not versions are ignored.
  public init(_ text: String) {
    lines = text.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /-- (\d+) ([0-9a-f]+)/) else { return nil }
      return Int(match.1).map { Line(number: $0, hash: String(match.2)) }
    }
  }

  /// Returns the problem with the file, or nil if the file is correct for the given module hash.
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

/// A problem with a `versions.sql` file, and how to fix it.
public struct VersionsProblem: Error, Sendable, CustomStringConvertible {
  /// The problem as text.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension JobTest {
  /// Checks that the last line of a `versions.sql` file has the hash of the module's functions,
  /// views and triggers.
  ///
  /// ```swift
  /// try await test.checkVersions(of: SQL.orders, at: folder.appending(path: "sql/versions.sql"))
  /// ```
  /// - Throws: ``VersionsProblem`` with the line to append, or `PostgresError`.
  public func checkVersions(of part: SchemaPart, at file: URL) async throws {
    // If the file is missing, the error contains the first line of the file that must be created.
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let hash = try await hash(of: part)
    if let problem = VersionsFile(text).problem(
      of: part, hash: hash, at: file.path(percentEncoded: false))
    {
      throw problem
    }
  }

  /// Returns the first digits of the SHA-256 hash of a module.
  ///
  /// The hash covers the functions, views and triggers with their paths, and the list of functions
  /// that an API may execute.
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
