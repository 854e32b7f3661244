import BatonPostgres
import Foundation

extension PasswordFile {
  /// The file that the settings name, otherwise a credential of systemd; nil: neither exists, and libpq uses its own
  /// sources.
  ///
  /// `BATON_PASSWORD_FILE` names the file. If a named file cannot be used, connecting fails; other sources are not
  /// tried.
  static var ofEnvironment: PasswordFile? {
    of(.passwordFile, orCredential: "baton.password")
  }

  /// The file that a setting names, otherwise a credential of systemd; nil: neither exists.
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
    // The service may have only other credentials. A credential that exists but cannot be read is still used, so that
    // reading it reports the error.
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return PasswordFile(path, namedBy: "the credential \(credential)", holds: what)
  }
}
