import BatonPostgres
import Foundation

extension PasswordFile {
  /// The file that the settings name: `BATON_PASSWORD_FILE`, else a credential that systemd gave the
  /// service; nil: neither is there, and libpq looks in its own places.
  ///
  /// A file that is named and cannot be used is no reason to look further: a connection then fails.
  static var ofEnvironment: PasswordFile? {
    of(.passwordFile, orCredential: "baton.password")
  }

  /// The file that a setting names, else a credential that systemd gave the service; nil: neither is there.
  ///
  /// - Parameters:
  ///   - credential: its name, as `LoadCredential=baton.password:...` has it.
  ///   - what: what the file holds, for errors.
  static func of(
    _ setting: Setting, orCredential credential: String, holds what: String = "password"
  ) -> PasswordFile? {
    let settings = Settings.current
    if let path = settings.text(setting) {
      return PasswordFile(path, namedBy: settings.place(of: setting), holds: what)
    }
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
    let path = "\(folder)/\(credential)"
    // A service may have other credentials; one that cannot be read is there all the same.
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return PasswordFile(path, namedBy: "the credential \(credential)", holds: what)
  }
}
