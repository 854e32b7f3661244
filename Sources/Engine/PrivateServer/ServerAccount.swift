import Foundation

/// The system user that runs the server's processes.
///
/// PostgreSQL refuses to run as root, so for root the server runs as `postgres` or `nobody`. That user may have no
/// access to the folder: /root has mode 0700, and a clone is often below it. So the caller opens the folder, and the
/// server inherits the descriptor. The server uses the folder as `/proc/self/fd/4`, which needs no permission on the
/// folders above. Two alternatives were rejected:
/// - The capability CAP_DAC_READ_SEARCH, set by setpriv, works, but Docker does not grant it. Docker does grant
///   CAP_DAC_OVERRIDE, but with that SQL could overwrite any file of the machine.
/// - Data under /var/lib with a link to it: if the folder with the link is removed, the data stay, and the server still
///   runs.
struct ServerAccount {
  let user: uid_t
  let group: gid_t
  /// Whether the caller is root, so that the server runs as another user.
  let isAnother: Bool

  static let folderDescriptor: Int32 = 4

  /// The caller; for root the owner of existing data, or for new data `postgres` or `nobody`.
  init(data: String) throws(PrivateServerError) {
    guard geteuid() == 0 else {
      (user, group, isAnother) = (geteuid(), getegid(), false)
      return
    }
    var information = stat()
    if stat(data, &information) == 0, information.st_uid != 0 {
      (user, group, isAnother) = (information.st_uid, information.st_gid, true)
      return
    }
    guard let found = Self.find("postgres") ?? Self.find("nobody") else {
      throw PrivateServerError(
        "PostgreSQL does not run as root, and neither user `postgres` nor `nobody` is there.",
        where: "/etc/passwd", next: "Add one: useradd --system postgres")
    }
    (user, group, isAnother) = (found.user, found.group, true)
  }

  /// Makes the account the owner of a file or folder.
  func own(_ path: String) throws(PrivateServerError) {
    guard isAnother else { return }
    guard lchown(path, user, group) == 0 else {
      throw .system("Cannot give a file to the server's user (id \(user))", path)
    }
  }

  /// The path of the folder for the server's processes.
  var nameOfFolder: String { isAnother ? "/proc/self/fd/\(Self.folderDescriptor)" : "." }

  /// A program that runs as this account and reaches the folder under `nameOfFolder`.
  func program(
    _ path: String, _ arguments: [String], in folder: ServerFolder
  ) throws(PrivateServerError) -> Program {
    guard isAnother else {
      // It runs inside the folder, because pg_ctl passes its path to a shell, which would expand a `$` in it.
      return Program(path: path, arguments: arguments, workingDirectory: folder.path)
    }
    guard let setpriv = Program.find("setpriv") else {
      throw PrivateServerError(
        "PostgreSQL does not run as root, and setpriv, which changes the user, is not there.",
        where: "PATH", next: "Install it: apt-get install util-linux")
    }
    let identity = ["--reuid", "\(user)", "--regid", "\(group)", "--clear-groups"]
    return Program(
      path: setpriv, arguments: identity + [path] + arguments, workingDirectory: "/",
      folder: folder.path)
  }

  private static func find(_ name: String) -> (user: uid_t, group: gid_t)? {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &result) == 0, result != nil
    else { return nil }
    return (entry.pw_uid, entry.pw_gid)
  }
}
