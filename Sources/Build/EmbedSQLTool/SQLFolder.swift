import Foundation

/// One target's SQL files, grouped by folder.
struct SQLFolder {
  struct File {
    let name: String
    let text: String
  }

  /// The files with statements, keyed by folder name.
  private(set) var statements: [String: [File]] = [:]
  /// The migration files, ordered by number.
  private(set) var migrations: [File] = []
  /// The files of schema objects, keyed by the kinds `function`, `view` and `trigger`.
  private(set) var objects: [String: [File]] = [:]
  /// The scripts for psql and pgbench, which the tool copies unchanged.
  private(set) var scripts: [File] = []
  /// The newest version in `versions.sql`, or 0 if that file is missing.
  private(set) var version = 0
  /// The functions to which `api.sql` grants access, or an empty list if that file is missing.
  private(set) var api: [String] = []
  /// The files that declare roles, grants and policies, ordered by name.
  private(set) var access: [File] = []

  init(_ root: String, files: [String]) throws {
    let fragments = try SQLFragments(root, files: files)
    for path in files {
      let parts = path.dropFirst(root.count).split(separator: "/").map(String.init)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      guard parts != ["versions.sql"] else {
        version = try Self.newestVersion(in: text, path)
        continue
      }
      guard parts != ["api.sql"] else {
        api = try Self.granted(in: text, path)
        continue
      }
      guard parts.count == 2 else {
        throw Failure("\(path): SQL files live one folder below their target's, not here.")
      }
      guard parts[0] != "fragments" else { continue }
      let whole = try fragments.included(in: text, path)
      try add(File(name: parts[1].replacing(".sql", with: ""), text: whole), to: parts[0], path)
    }
    try addCalls()
  }

  /// Generates a statement in the `api` folder for each function that `api.sql` lists.
  ///
  /// If the `api` folder already contains a file with the function's name, no statement is
  /// generated for it.
  private mutating func addCalls() throws {
    let composites = try migrations.reduce(into: [String: [FunctionSignature.Field]]()) {
      $0.merge(try FunctionSignature.composites(in: $1.text)) { _, newer in newer }
    }
    let written = Set(statements["api", default: []].map(\.name))
    for function in objects["function", default: []]
    where api.contains(function.name) && !written.contains(function.name) {
      let signature = try FunctionSignature(
        function.name, function.text, composites: composites)
      statements["api", default: []].append(
        File(name: function.name, text: FunctionCall(signature: signature).text))
    }
  }

  private mutating func add(_ file: File, to folder: String, _ path: String) throws {
    if folder == "raw" || path.hasSuffix(".pgbench") {
      scripts.append(File(name: URL(filePath: path).lastPathComponent, text: file.text))
      return
    }
    guard file.text.hasPrefix("-- "), !file.text.contains("\"\"\"####") else {
      throw Failure("\(path): a SQL file begins with a comment that says what it does.")
    }
    switch folder {
    case "migrations": migrations.append(file)
    case "access": access.append(file)
    case "functions", "views", "triggers":
      let kind = String(folder.dropLast())
      guard file.text.contains("\ncreate or replace \(kind) \(file.name)") else {
        throw Failure("\(path): it has to `create or replace \(kind) \(file.name)`.")
      }
      objects[kind, default: []].append(file)
    default: statements[folder, default: []].append(file)
    }
  }

  /// Returns the number in the last line of the form `-- NUMBER HASH`.
  private static func newestVersion(in text: String, _ path: String) throws -> Int {
    let numbers = text.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /-- (\d+) [0-9a-f]+/).flatMap { Int($0.1) }
    }
    guard let newest = numbers.last else {
      throw Failure(
        "\(path): no line is `-- NUMBER HASH`. Delete the file, and build again. If the module has "
          + "functions, views or triggers, the test that calls `checkVersions` then fails and prints "
          + "`-- 1 HASH`, the first line of a new file.")
    }
    return newest
  }

  /// Returns the names of the functions in statements of the form
  /// `grant execute on function ONE, ANOTHER to {role}`.
  ///
  /// Comment lines are ignored.
  private static func granted(in text: String, _ path: String) throws -> [String] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("--") }
    let form = /grant execute on function\s([a-z0-9_,\s]+)\sto \{role\}\s*/
    guard let match = lines.joined(separator: "\n").wholeMatch(of: form) else {
      throw Failure(
        "\(path): it has to be `grant execute on function ONE, ANOTHER to {role}`.")
    }
    let names = match.1.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    guard names.allSatisfy({ $0.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil }),
      Set(names).count == names.count
    else { throw Failure("\(path): a name is missing, stands twice or has blanks in it.") }
    return names
  }

  /// Returns the objects of one kind in creation order.
  ///
  /// Objects are sorted by name, but each object comes after the objects that it needs.
  func objectsInOrder(of kind: String) throws -> [File] {
    var waiting = objects[kind] ?? []
    var made: [File] = []
    while !waiting.isEmpty {
      let next = waiting.firstIndex { file in
        !needs(of: file).contains { need in waiting.contains { $0.name == need } }
      }
      guard let next else {
        throw Failure("\(kind)s need each other: \(waiting.map(\.name).joined(separator: ", ")).")
      }
      made.append(waiting.remove(at: next))
    }
    return made
  }

  /// Returns the names of the needed objects, from the header line `-- needs: ONE, ANOTHER`.
  private func needs(of file: File) -> [String] {
    let line = file.text.split(separator: "\n").first { $0.hasPrefix("-- needs: ") }
    return (line?.dropFirst(10).split(separator: ",") ?? []).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}
