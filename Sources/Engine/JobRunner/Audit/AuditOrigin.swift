package import BatonPostgres
import Foundation
import RunnerSQL

/// The user and program of this process, which the server cannot see or check.
package enum AuditOrigin {
  /// The person who requested this task, if that is not the user who started the process.
  ///
  /// A server of pages sets it to the person who is logged in there.
  @TaskLocal package static var person: String?

  /// Passes the origin to the transaction, for all that it appends to the audit log.
  ///
  /// Run it before a function that appends by itself. ``Transaction/record(_:)`` runs it too.
  package static var call: Call<Void> {
    .run(SQL.Audit.sayWho, person.map(text) ?? user, host, program)
  }

  private static let host = text(ProcessInfo.processInfo.hostName)
  private static let program = text(
    ProcessInfo.processInfo.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "")

  /// The name of the user that the process runs as; the user's number if it has no name.
  ///
  /// It does not come from an environment variable, which the user could set.
  private static let user: String = {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return text(String(cString: name))
  }()

  /// Removes control characters, which a parameter must not contain.
  private static func text(_ name: String) -> String {
    String(name.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
  }
}
