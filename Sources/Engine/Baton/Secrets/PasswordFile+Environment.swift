package import BatonPostgres
import Foundation

extension PasswordFile {
  /// The configured password file, or a systemd credential, or nil if neither exists.
  ///
  /// If no password file is found, libpq uses its own password sources. `BATON_PASSWORD_FILE`
  /// contains the file's path. If the configured password file is unusable, opening a connection
  /// fails, and libpq's sources are not tried.
  static var ofEnvironment: PasswordFile? {
    of(.passwordFile, orCredential: "baton.password")
  }

  /// Returns the file that a setting names, or otherwise a systemd credential.
  ///
  /// If the setting has no value and systemd has not passed the credential, the method returns nil.
  ///
  /// - Parameters:
  ///   - setting: the setting that may contain the file's path.
  ///   - credential: the credential's name, as in `LoadCredential=baton.password:...`.
  ///   - what: the secret's name in error messages.
  static func of(
    _ setting: Setting, orCredential credential: String, holds what: String = "password"
  ) -> PasswordFile? {
    let settings = Settings.current
    if let path = settings.text(setting) {
      return PasswordFile(path, namedBy: settings.place(of: setting), holds: what)
    }
    return Self.credential(credential, holds: what)
  }

  /// Returns a systemd credential, or nil if systemd has not passed it to the service.
  ///
  /// - Parameters:
  ///   - credential: the credential's name, as in `LoadCredential=baton.password:...`.
  ///   - what: the secret's name in error messages.
  package static func credential(_ credential: String, holds what: String) -> PasswordFile? {
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
    let path = "\(folder)/\(credential)"
    // An unreadable credential is returned, so that reading the credential reports the error.
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return PasswordFile(path, namedBy: "the credential \(credential)", holds: what)
  }
}
