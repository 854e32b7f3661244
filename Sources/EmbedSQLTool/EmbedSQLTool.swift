import Foundation

/// Writes the generated part of `SQL`: one `Statement` a file, in an enum a folder, and the list of migrations.
///
/// `sql/queue/lock_cursor.sql` becomes `SQL.Queue.lockCursor`, whose name is `queue/lock_cursor`,
/// so that an error names a file one can open.
@main
struct EmbedSQLTool {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { throw Failure(description: "usage: ROOT OUTPUT FILE...") }
    let root = arguments[1]
    var folders: [String: [(name: String, text: String)]] = [:]
    var scripts: [(name: String, text: String)] = []
    for file in arguments.dropFirst(3).sorted() {
      let parts = file.dropFirst(root.count).split(separator: "/")
      guard parts.count == 2, let last = parts.last else {
        throw Failure(description: "\(file): SQL files live one folder below sql/, not here.")
      }
      let text = try String(contentsOfFile: file, encoding: .utf8)
      // What psql and pgbench read is text to us.
      if parts[0] == "raw" || last.hasSuffix(".pgbench") {
        scripts.append((String(last), text))
        continue
      }
      guard text.hasPrefix("-- "), !text.contains("\"\"\"####") else {
        throw Failure(
          description: "\(file): a SQL file begins with a comment that says what it does.")
      }
      folders[String(parts[0]), default: []].append((String(last.dropLast(4)), text))
    }
    try (render(folders) + render(scripts: scripts))
      .write(toFile: arguments[2], atomically: true, encoding: .utf8)
  }

  static func render(_ folders: [String: [(name: String, text: String)]]) -> String {
    var lines = ["// Generated from the .sql files beside it.", "public import Postgres", ""]
    lines.append("extension SQL {")
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      if folder == "migrations" {
        lines.append("  /// The migrations, oldest first.")
        lines.append("  public static let migrations: [Statement] = [")
        lines += files.map { "    \(statement(folder, $0.name, $0.text))," }
        lines.append("  ]")
      } else {
        lines.append("  /// `sql/\(folder)`.")
        lines.append("  public enum \(camel(folder, upper: true)) {")
        for file in files {
          lines.append("    /// `sql/\(folder)/\(file.name).sql`.")
          lines.append("    public static let \(camel(file.name, upper: false)) = ")
          lines.append("      \(statement(folder, file.name, file.text))")
        }
        lines.append("  }")
      }
    }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  static func render(scripts files: [(name: String, text: String)]) -> String {
    let entries = files.map { "    \"\($0.name)\": ####\"\"\"\n\($0.text)\n\"\"\"####," }
    return """

      extension SQL {
        /// What `psql` and `pgbench` send, byte for byte, by the files' names.
        public static let scripts: [String: String] = [
      \(entries.joined(separator: "\n"))
        ]
      }

      """
  }

  static func statement(_ folder: String, _ name: String, _ text: String) -> String {
    "Statement(\n\"\(folder)/\(name)\", ####\"\"\"\n\(text)\n\"\"\"####)"
  }

  static func camel(_ name: String, upper: Bool) -> String {
    let words = name.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 && !upper ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
