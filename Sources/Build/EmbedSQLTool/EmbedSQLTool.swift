import Foundation

/// Generates a target's extension of `SQL`, with one `Statement` per file and one enum per folder.
///
/// If the target's folder contains migrations, functions, views or triggers, the extension also
/// contains a `SchemaPart`. The `OrdersSQL` target gets the schema part `SQL.orders`.
///
/// `queue/lock_cursor.sql` becomes `SQL.Queue.lockCursor`. The statement's name is
/// `queue/lock_cursor`, so error messages identify the file.
@main
struct EmbedSQLTool {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 3 else { throw Failure("usage: TARGET ROOT OUTPUT FILE...") }
    do {
      let folder = try SQLFolder(arguments[2], files: arguments.dropFirst(4).sorted())
      let part = arguments[1].hasSuffix("SQL") ? String(arguments[1].dropLast(3)) : arguments[1]
      let text = try Rendering(folder, part: part.prefix(1).lowercased() + part.dropFirst()).text
      try text.write(toFile: arguments[3], atomically: true, encoding: .utf8)
    } catch let failure as Failure {
      // Xcode and SwiftPM report a line that begins with `error:` as a build error.
      print("error: \(failure.description)")
      exit(1)
    }
  }
}

/// An error that stops EmbedSQLTool.
///
/// The description is the message in the build log.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
