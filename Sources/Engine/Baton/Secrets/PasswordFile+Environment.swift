import BatonPostgres
import Foundation

extension PasswordFile {
  /// The file that the settings name, or a systemd credential, or nil if neither exists.
  ///
  /// If the value is nil, libpq uses its own sources of a password. `BATON_PASSWORD_FILE` names the
  /// file. If a named file is unusable, the connection fails, and other sources are not tried.
  static var ofEnvironment: PasswordFile? {
    of(.passwordFile, orCredential: "baton.password")
  }

  /// Returns the file that a setting names, or a systemd credential, or nil if neither exists.
  ///
  /// - Parameters:
  ///   - setting: the setting that may name the file.
  ///   - credential: the credential's name, as in `LoadCredential=baton.password:...`.
  ///   - what: the name of the secret in error messages.
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
    // The service may have been given only other credentials. A credential that exists but cannot
    // be read is still returned, so that reading it reports the error.
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return PasswordFile(path, namedBy: "the credential \(credential)", holds: what)
  }
}
