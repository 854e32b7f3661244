package import BatonPostgres
import Foundation
import RunnerSQL

/// The operating system user and the program name of this process.
///
/// The PostgreSQL server cannot verify the user or the program name.
package enum AuditOrigin {
  /// The person who requested the current action, if the process was started by another user.
  ///
  /// A web server sets this value to the person who is logged in to its pages.
  @TaskLocal package static var person: String?

  /// Stores the operating system user and the program name in the transaction so that its audit
  /// entries contain both.
  ///
  /// Run this call before any SQL function that appends an audit entry. ``Transaction/record(_:)``
  /// already makes this call.
  package static var call: Call<Void> {
    .run(SQL.Audit.sayWho, person.map(text) ?? user, host, program)
  }

  private static let host = text(ProcessInfo.processInfo.hostName)
  private static let program = text(
    ProcessInfo.processInfo.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "")

  /// The name of the user that the process runs as, or the user's number if the user has no name.
  ///
  /// An environment variable is not used, because the user could set it to any name.
  private static let user: String = {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return text(String(cString: name))
  }()

  /// Removes control characters from text, because a query parameter must not contain them.
  private static func text(_ name: String) -> String {
    String(name.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
  }
}
