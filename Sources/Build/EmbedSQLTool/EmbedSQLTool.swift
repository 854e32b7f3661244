import Foundation

/// Writes a target's part of `SQL`: one `Statement` a file, in an enum a folder, and the schema part that
/// its migrations, functions, views and triggers make.
///
/// `queue/lock_cursor.sql` becomes `SQL.Queue.lockCursor`, whose name is `queue/lock_cursor`, so that an
/// error names a file one can open. Of the target `OrdersSQL` the part is `SQL.orders`.
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
      // In the form that Xcode and SwiftPM show as an error of the build.
      print("error: \(failure.description)")
      exit(1)
    }
  }
}

/// What is wrong with a file of SQL, and where.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
