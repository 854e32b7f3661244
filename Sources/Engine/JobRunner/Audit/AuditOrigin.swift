package import BatonPostgres
import Foundation
import RunnerSQL

/// What this process knows of who uses it: what the server cannot see, and cannot check.
package enum AuditOrigin {
  /// Who asked this process to do what this task does, where that is not who started it: somebody who is known to a
  /// server of pages.
  @TaskLocal package static var person: String?

  /// Tells the transaction, for whatever it appends to the audit.
  ///
  /// To be called ahead of a function that appends by itself; ``Transaction/record(_:)`` does it too.
  package static var call: Call<Void> {
    .run(SQL.Audit.sayWho, person.map(text) ?? user, host, program)
  }

  private static let host = text(ProcessInfo.processInfo.hostName)
  private static let program = text(
    ProcessInfo.processInfo.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "")

  /// The name of the user that the process runs as, not of a variable of the environment; its number where
  /// it has no name.
  private static let user: String = {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return text(String(cString: name))
  }()

  /// Without what no parameter may hold.
  private static func text(_ name: String) -> String {
    String(name.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
  }
}
