import Foundation

/// Writes a target's part of `SQL`: one `Statement` per file, in one enum per folder, and the schema part of its
/// migrations, functions, views and triggers.
///
/// `queue/lock_cursor.sql` becomes `SQL.Queue.lockCursor` with the name `queue/lock_cursor`, so that an error names a
/// file that can be opened. The target `OrdersSQL` gets the part `SQL.orders`.
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
      // Xcode and SwiftPM show a line of this form as a build error.
      print("error: \(failure.description)")
      exit(1)
    }
  }
}

/// A problem in a SQL file, and its place.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
