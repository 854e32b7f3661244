public import Foundation
public import JobRunner
public import BatonPostgres

/// Databases with a migrated schema and its roles, copies of one, on the server for tests of roles.
///
/// Roles are a cluster's, so all copies have the same ones, with the same rights.
public final class RoleTemplate: Sendable {
  private let content: TemplateSchema
  /// The schema in all of them.
  public var schema: Schema { content.schema }

  /// A template that is made when it is first asked for.
  public init(_ beginning: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    guard let schema = Schema(RoleServer.name(beginning)) else {
      preconditionFailure("\(beginning) begins no schema's name")
    }
    content = TemplateSchema(schema, parts: parts, jobs: jobs)
  }

  /// Runs `body` with the name of a copy, and drops that afterwards.
  ///
  /// - Throws: what `body` throws.
  public func withCopy<R>(_ body: (_ database: String) async throws -> R) async throws -> R {
    try await content.made { try await self.make() }
    let name = RoleServer.name("copy")
    try await RoleServer.administer("create database \(name) template \(schema)")
    let result: Result<R, any Error>
    do { result = .success(try await body(name)) } catch { result = .failure(error) }
    try await RoleServer.administer("drop database \(name) with (force)")
    return try result.get()
  }

  /// How the role of a kind reaches a copy; nil: the superuser.
  ///
  /// - Throws: what starting the server met.
  public func configuration(
    as kind: String? = nil, in database: String
  ) throws -> ConnectionConfiguration {
    let role = kind.map { "\(schema)_\($0)" } ?? "postgres"
    return ConnectionConfiguration(address: try RoleServer.address(of: role, in: database))
  }

  /// How each file of a folder of statements ends as the role of a kind, where it may not be run: the names of those
  /// whose function the role may not execute.
  ///
  /// A plan is made of each, and begun: what is executed is checked then, and nothing is run.
  ///
  /// - Throws: what is wrong with a statement besides.
  public func refused(
    in folder: URL, as kind: String, database: String
  ) async throws -> [String] {
    let connection = try await Connection.open(try configuration(as: kind, in: database))
    return try await RoleServer.with(connection) { connection in
      var refused: [String] = []
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
      guard !files.isEmpty else { throw TestFailure("\(folder.path()) is empty") }
      for file in files {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let numbers = text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
        let nulls = Array(repeating: "null", count: numbers.max() ?? 0).joined(separator: ", ")
        do {
          try await connection.script(
            Statement(
              "test/\(file)",
              """
              begin; set local search_path = \(schema), pg_temp; prepare planned as \(text);
              explain execute planned\(nulls.isEmpty ? "" : "(\(nulls))")
              """))
        } catch let error as PostgresError where error.sqlState.code == "42501" {
          refused.append(file)
        }
        try await connection.script(Statement("test/end", "rollback; deallocate all"))
      }
      return refused
    }
  }

  private func make() async throws {
    try await RoleServer.administer("create database \(schema)")
    let address = try RoleServer.address(in: schema.name)
    try await RoleServer.with(try await RoleServer.connect(in: schema.name)) { superuser in
      try await content.fill(superuser, at: address)
      _ = try await content.migrator.createRoles(superuser)
    }
  }
}
