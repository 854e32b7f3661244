package import BatonPostgres
import RunnerSQL

extension Migrator {
  /// A problem with the rights in a schema.
  package struct AccessFault: Sendable, Equatable {
    /// Whether the problem makes `check` fail.
    ///
    /// If false, the problem is only advice.
    package let isFault: Bool
    /// The description of the problem.
    package let what: String
    /// The statement or the command that fixes the problem.
    package let fix: String
  }

  /// Finds wrong rights in the schema.
  ///
  /// The method checks rules that apply to any schema. If the schema has roles, the method also
  /// compares the current rights with the rights that ``migrate(_:makesAPIRole:)`` stored.
  ///
  /// - Throws: ``AccessProblem``, `PostgresError`.
  package func accessFaults(_ connection: Connection) async throws -> [AccessFault] {
    let roles = try await Self.roles(of: schema, connection)
    return try await connection.transaction(in: schema) { transaction in
      let script =
        try roles == nil
        ? AccessScript([]) : AccessScript(try await accessParts(in: transaction).wanted)
      let names = roles.map { script.kinds.map($0.name) } ?? []
      let lint = Call<[AccessFault]>.rows(SQL.Migrator.lintAccess, roles?.prefix, names) {
        (row) throws(PostgresError) in
        let (isFault, what, fix) = try row.decode(Bool.self, String.self, String.self)
        return AccessFault(isFault: isFault, what: what, fix: fix)
      }
      let faults = try await transaction.run(lint)
      guard let roles else { return faults }
      let changed = try await transaction.run(listAccess(script, roles)).filter(\.isChanged)
      return changed.map(fault) + faults
    }
  }

  private func fault(_ object: AccessObject) -> AccessFault {
    let what =
      switch (object.left, object.state) {
      case (nil, let state?):
        "the \(object.object) is not as migrate leaves it: it is new: \(state)"
      case (let left?, nil): "the \(object.object) is gone: it was: \(left)"
      case (let left, let state):
        "the \(object.object) is: \(state ?? ""); it was left: \(left ?? "")"
      }
    return AccessFault(isFault: true, what: what, fix: "migrate")
  }
}
