import Foundation

/// The Swift source generated from one target's SQL files.
struct Rendering {
  private let folder: SQLFolder
  private let part: String

  init(_ folder: SQLFolder, part: String) {
    self.folder = folder
    self.part = part
  }

  var text: String {
    get throws {
      let lines =
        ["// Generated from the .sql files of this target.", "public import BatonPostgres", ""]
        + ["extension SQL {"] + statements + (try schemaPart) + scripts + ["}"]
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private var statements: [String] {
    folder.statements.sorted { $0.key < $1.key }.flatMap { name, files in
      ["  /// `\(name)`.", "  public enum \(camel(name, upper: true)) {"]
        + files.flatMap { file in
          [
            "    /// `\(name)/\(file.name).sql`.",
            "    public static let \(camel(file.name, upper: false)) = ",
            "      \(statement(name, file))",
          ]
        } + (name == "api" ? list(files) : []) + ["  }"]
    }
  }

  /// Renders the list of all API calls.
  ///
  /// Tests use the list of calls to check the API role's privileges.
  ///
  /// The list's name `all` is a reserved word in SQL, so no function can have the same name.
  private func list(_ files: [SQLFolder.File]) -> [String] {
    ["    /// Every call of the API.", "    public static let all: [Statement] = ["]
      + files.map { "      \(camel($0.name, upper: false))," } + ["    ]"]
  }

  /// The lines of the `SchemaPart`, or an empty list if the target has no migrations or objects.
  private var schemaPart: [String] {
    get throws {
      guard !folder.migrations.isEmpty || !folder.objects.isEmpty else { return [] }
      let objects = try ["function", "view", "trigger"].flatMap { kind in
        try folder.objectsInOrder(of: kind).map { try object(kind, $0) }
      }
      return ["  /// What this target owns of a schema."]
        + ["  public static let \(part) = SchemaPart("]
        + ["    \"\(part)\", version: \(folder.version),", "    migrations: ["]
        + folder.migrations.map { "      \(statement("migrations", $0))," }
        + ["    ],", "    objects: ["] + objects + ["    ],"]
        + [
          "    api: [\(folder.api.map { "\"\($0)\"" }.joined(separator: ", "))],", "    access: [",
        ]
        + folder.access.map { "      \(statement("access", $0))," } + ["    ])"]
    }
  }

  private func object(_ kind: String, _ file: SQLFolder.File) throws -> String {
    var table = ""
    if kind == "trigger" {
      guard let match = file.text.firstMatch(of: /\n?\son ([a-z0-9_]+)\n/) else {
        throw Failure("triggers/\(file.name).sql: its table has to end a line: `... on TABLE`.")
      }
      table = String(match.1)
    }
    return
      "      SchemaObject(.\(kind), \"\(file.name)\", table: \"\(table)\",\n"
      + "        \(statement("\(kind)s", file))),"
  }

  private var scripts: [String] {
    guard !folder.scripts.isEmpty else { return [] }
    return [
      "  /// What `psql` and `pgbench` send, byte for byte, by the files' names.",
      "  public static let \(part)Scripts: [String: String] = [",
    ] + folder.scripts.map { "    \"\($0.name)\": ####\"\"\"\n\($0.text)\n\"\"\"####," } + ["  ]"]
  }

  private func statement(_ folder: String, _ file: SQLFolder.File) -> String {
    "Statement(\n\"\(folder)/\(file.name)\", ####\"\"\"\n\(file.text)\n\"\"\"####)"
  }

  private func camel(_ name: String, upper: Bool) -> String {
    let words = name.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 && !upper ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }
}
