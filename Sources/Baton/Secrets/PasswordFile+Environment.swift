import Foundation
import Postgres

extension PasswordFile {
  /// The name of the systemd credential, as `LoadCredential=baton.password:...` has it.
  private static let credential = "baton.password"

  /// The file that the settings name: `BATON_PASSWORD_FILE`, else a credential that systemd gave the
  /// service; nil: neither is there, and libpq looks in its own places.
  ///
  /// A file that is named and cannot be used is no reason to look further: a connection then fails.
  static var ofEnvironment: PasswordFile? {
    let settings = Settings.current
    if let path = settings.text(.passwordFile) {
      return PasswordFile(path, namedBy: settings.place(of: .passwordFile))
    }
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
    let path = "\(folder)/\(credential)"
    // A service may have other credentials; one that cannot be read is there all the same.
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return PasswordFile(path, namedBy: "the credential \(credential)")
  }
}
